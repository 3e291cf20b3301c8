import { ERRORS, EXIT, errorJson, PartnerError } from '../contract/errors.ts';
import type { Outcome } from './base-command.ts';
import { formatFailedLine } from './failure.ts';
import type { View } from './terminal/view.ts';

interface Batch<Done> {
  readonly run: (id: number) => Promise<Done>;
  readonly json?: (done: Done) => unknown;
  readonly name: string;
  readonly line: (done: Done) => string;
  readonly view: View;
  readonly explain?: (error: PartnerError) => PartnerError;
}

export async function batchOutcome<Done extends { readonly id: number }>(
  ids: readonly number[],
  { run, json = (done) => done, name, line, view, explain = (error) => error }: Batch<Done>,
): Promise<Outcome> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) {
    const done = await run(only);
    return { json: json(done), text: () => line(done) };
  }
  const lines: string[] = [];
  const shown: unknown[] = [];
  const errors: PartnerError[] = [];
  for (const id of ids) {
    try {
      const done = await run(id);
      lines.push(line(done));
      shown.push({ id, [name]: json(done) });
    } catch (thrown) {
      if (!(thrown instanceof PartnerError)) throw thrown;
      const error = explain(thrown);
      lines.push(formatFailedLine(id, error, view));
      shown.push({ id, ...errorJson(error) });
      errors.push(error);
    }
  }
  return { json: { items: shown }, text: () => lines.join(''), exit: batchExit(errors, ids.length) };
}

function batchExit(errors: readonly PartnerError[], total: number): number {
  if (errors.some((error) => error.code === 'INTERRUPTED')) return ERRORS.INTERRUPTED.exit;
  if (errors.length === 0) return EXIT.done;
  return errors.length === total ? EXIT.allFailed : EXIT.someFailed;
}
