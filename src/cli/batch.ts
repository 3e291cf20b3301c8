import { ERRORS, EXIT, PartnerError } from '../contract/errors.ts';
import type { Outcome } from './base-command.ts';
import { errorJson } from './failure.ts';

export type BatchItem<Done> = Done | { readonly id: number; readonly error: PartnerError };

interface Batch<Done> {
  readonly run: (id: number) => Promise<Done>;
  /** The JSON of an id that is alone; with others it stands under `name`. */
  readonly json: (done: Done) => unknown;
  readonly name: string;
  readonly text: (items: readonly BatchItem<Done>[]) => string;
  readonly explain?: (error: PartnerError) => PartnerError;
}

/** The same work on each id, one after the other. An error ends it only where the id is alone. */
export async function batchOutcome<Done extends { readonly id: number }>(
  ids: readonly number[],
  { run, json, name, text, explain = (error) => error }: Batch<Done>,
): Promise<Outcome> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) {
    const done = await run(only);
    return { json: json(done), text: () => text([done]) };
  }
  const items: BatchItem<Done>[] = [];
  const shown: unknown[] = [];
  const errors: PartnerError[] = [];
  for (const id of ids) {
    try {
      const done = await run(id);
      items.push(done);
      shown.push({ id, [name]: json(done) });
    } catch (thrown) {
      if (!(thrown instanceof PartnerError)) throw thrown;
      const error = explain(thrown);
      items.push({ id, error });
      shown.push({ id, ...errorJson(error) });
      errors.push(error);
    }
  }
  return { json: { items: shown }, text: () => text(items), exit: batchExit(errors, ids.length) };
}

function batchExit(errors: readonly PartnerError[], total: number): number {
  if (errors.some((error) => error.code === 'INTERRUPTED')) return ERRORS.INTERRUPTED.exit;
  if (errors.length === 0) return EXIT.done;
  return errors.length === total ? EXIT.allFailed : EXIT.someFailed;
}
