import { openEngine } from '../../../src/engine/open.ts';
import type { App } from '../../../src/engine/parts.ts';
import type { DatabaseAddress } from '../../../src/engine/store/address.ts';
import { somebodyElse } from './somebody.ts';

export interface ApplicantOrder {
  readonly database: DatabaseAddress;
  readonly placesPath: string;
  readonly jobId: number;
  readonly fileId: string;
  readonly requiredIds: readonly string[];
  /** Keeps the candidates of different processes apart. */
  readonly name: string;
  readonly count: number;
  /** Every Nth candidate isn't qualified. */
  readonly unqualifiedEvery: number;
}

export interface ApplicantReport {
  readonly taken: readonly number[];
  readonly error: string | null;
}

const AT_ONCE = 50;

/** Runs a separate engine on a database that other processes write to at the same time. */
async function applyAll(order: ApplicantOrder): Promise<number[]> {
  const { database, placesPath, count } = order;
  const engine = await openEngine({ database, placesPath });
  const taken: number[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => from + index);
    taken.push(...(await Promise.all(numbers.map((number) => apply(engine.fetch, order, number)))));
  }
  await engine.close();
  return taken;
}

async function apply(
  fetch: App,
  { jobId, fileId, requiredIds, name, unqualifiedEvery }: ApplicantOrder,
  number: number,
): Promise<number> {
  const response = await fetch(
    new Request(`http://engine.test/candidate/v1/jobs/${jobId}/applications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        somebodyElse()({
          email: `ada.${name}.${number}@example.com`,
          resume: fileId,
          meets: number % unqualifiedEvery === 0 ? [] : [...requiredIds],
        }),
      ),
    }),
  );
  const { id, error } = (await response.json()) as { id?: number; error?: { message: string } };
  if (response.status !== 201 || id === undefined) throw new Error(`${response.status}: ${error?.message}`);
  return id;
}

if (process.send !== undefined) {
  process.on('message', async (order: ApplicantOrder) => {
    try {
      process.send?.({ taken: await applyAll(order), error: null });
    } catch (error) {
      process.send?.({ taken: [], error: String(error) });
    }
  });
  process.send('ready');
}
