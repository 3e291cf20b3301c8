/*
 * Writes a journal in a separate process. Arguments: STATE_PATH COUNT BYTES. Records COUNT creates, eight at a time, with
 * their outcomes. Prints the key of each intent that is on disk, or the error code.
 */
import { writeSync } from 'node:fs';
import { openJournal } from '../../../src/bulk/state/journal.ts';
import type { PartnerError } from '../../../src/contract/errors.ts';
import { entryOf, SERVER } from './states.ts';

const [statePath = '', count = '0', bytes = '0'] = process.argv.slice(2);
const { pid } = process;
const journal = await openJournal(statePath, {
  server: SERVER,
  now: Date.now,
  runId: `run-${pid}`,
  host: 'here',
  pid,
});
let next = 0;

/** Writes synchronously. Retries if a non-blocking pipe is full. */
function say(text: string): void {
  for (let rest = Buffer.from(`${text}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

async function work(): Promise<void> {
  while (next < Number(count)) {
    const job = ++next;
    const intent = {
      key: `${pid}-${job}.json`,
      idempotencyKey: `key-${job}`,
      at: job,
      body: { title: 'x'.repeat(Number(bytes)) },
    };
    await journal.intend(intent);
    say(intent.key);
    journal.record({
      kind: 'made',
      key: intent.key,
      idempotencyKey: intent.idempotencyKey,
      job,
      entry: entryOf(job),
    });
  }
}

try {
  await Promise.all(Array.from({ length: 8 }, work));
  await journal.flush();
} catch (error) {
  say(`${(error as PartnerError).code}: ${(error as PartnerError).message}`);
}
await journal.close();
