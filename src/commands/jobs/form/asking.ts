import type { Connection } from '../../../cli/connection/connection.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';
import type { JobUpdate } from '../../../contract/job.ts';
import type { Question } from './answers.ts';

/** A question as it is put to somebody. */
export interface Asking {
  readonly question: Question;
  /** The answers so far. */
  readonly content: JobUpdate;
  readonly streams: Streams;
  readonly connection: Pick<Connection, 'limits' | 'searchPlaces'>;
  /** The command of an editor; undefined where none is set. */
  readonly editor: string | undefined;
  /** Told of each entry of a list, so that an interrupted one is not lost. */
  readonly onPart: (value: unknown) => Promise<void>;
  /** Whether a list that has entries is gone on with; otherwise it is left or changed. */
  readonly isBegun: boolean;
}

/** What is said beside a question. */
export function whyOf({ why, isNeeded }: Question): string {
  return [why, isNeeded ? 'needed to go live' : undefined].filter(Boolean).join(' · ');
}

/** What is said of a question that was passed over. */
export function passedWords({ isNeeded }: Question): string {
  return isNeeded ? 'skipped for now: needed to go live' : 'skipped';
}
