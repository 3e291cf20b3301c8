import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';

/** STATE_UNUSABLE for a file that could not be read or written, with the system's reason; an error of ours as it is. */
export function notPossible(what: 'read' | 'written', path: string, cause: unknown): PartnerError {
  if (cause instanceof PartnerError) return cause;
  return new PartnerError('STATE_UNUSABLE', {
    message: `${path} cannot be ${what}: ${reasonOf(cause)}`,
    hint: 'mend the path, its permissions or the disk, or keep the state elsewhere with --state',
    cause,
  });
}

/** What stands wrong in a file that is ours, and where: both from 1. */
export interface Damage {
  readonly line: number;
  readonly column?: number | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** STATE_UNUSABLE for a file that was read and is not what was written there; nothing has changed it. */
export function damaged(path: string, { line, column, message, hint }: Damage): PartnerError {
  const at = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return new PartnerError('STATE_UNUSABLE', { message: `${path}, ${at}: ${message}`, hint });
}

/** STATE_UNUSABLE for a file in a format that this release does not know. */
export function fromNewerRelease(path: string, version: number, known: number): PartnerError {
  return new PartnerError('STATE_UNUSABLE', {
    message: `${path} was made by a newer release: it has version ${version}, and this one knows up to ${known}`,
    hint: 'upgrade partner; the file is kept as it is',
  });
}
