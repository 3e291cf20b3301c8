import { PartnerError } from '../contract/errors.ts';
import { pathScope } from '../listings/read/paths.ts';

/**
 * Throws USAGE for a file that is to be written and that these paths cover: it would replace a job file, or be
 * read as one by the next run.
 */
export async function assertOutsideSet(files: readonly string[], paths: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const { covers } = await pathScope(paths);
  const inside = files.find(covers);
  if (inside === undefined) return;
  throw new PartnerError('USAGE', {
    message: `${inside} would lie among the job files, and be taken for one by the next run`,
    hint: 'name a file outside of the paths, or of another ending than .json, .ndjson and .jsonl',
  });
}

/** Whether these paths cover a file; one of them that cannot be looked at covers nothing. */
export async function isInSet(file: string | undefined, paths: readonly string[]): Promise<boolean> {
  if (file === undefined) return false;
  const covering = paths.map((path) =>
    pathScope([path]).then(
      ({ covers }) => covers(file),
      () => false,
    ),
  );
  return (await Promise.all(covering)).includes(true);
}
