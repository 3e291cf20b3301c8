import type { Connection } from '../../../cli/connection/connection.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';
import type { JobUpdate } from '../../../contract/job.ts';
import type { Question } from './questions.ts';

export interface Asking {
  readonly question: Question;
  readonly content: JobUpdate;
  readonly streams: Streams;
  readonly connection: Pick<Connection, 'limits' | 'searchPlaces'>;
  /** The command of an editor; undefined where none is set. */
  readonly editor: string | undefined;
  /** Is called with each entry of a list, so that an interrupted one is not lost. */
  readonly onPart: (value: unknown) => Promise<void>;
  /** Whether entries are added to a list that has some; otherwise it is left or changed. */
  readonly isBegun: boolean;
}

/** The words of a question, and what answers it where nobody can be asked. */
export function wordsOf({ words, why, isNeeded, flag }: Question) {
  return {
    question: words,
    why: [why, isNeeded ? 'needed to go live' : undefined].filter(Boolean).join(' · '),
    flag,
  };
}

export function passedWords({ isNeeded }: Question): string {
  return isNeeded ? 'skipped for now: needed to go live' : 'skipped';
}
