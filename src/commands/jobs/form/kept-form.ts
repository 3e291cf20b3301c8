import type { Connection } from '../../../cli/connection/connection.ts';
import type { CliContext } from '../../../cli/context.ts';
import { dataPaths, directories } from '../../../cli/settings/directories.ts';
import { say } from '../../../cli/terminal/form/message.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';
import type { SpendRules } from '../../../contract/guardrails.ts';
import { removeIfPossible } from '../../../files/own-file.ts';
import { type FormAnswers, keptAnswers, NO_ANSWERS } from './answers.ts';
import { readFormAnswers, unusable, writeFormAnswers } from './form-answers.ts';

/** What a form is given of the command that it is part of. */
export interface FormWorld {
  readonly streams: Streams;
  readonly context: CliContext;
  readonly connection: Connection;
  /** What a listing may cost. */
  readonly spending: SpendRules;
}

/** What is kept of a form. */
interface Kept {
  readonly answers: FormAnswers;
  /** ISO 8601. */
  readonly keptAt: string;
  /** A create whose outcome is not known, so that sending the same again makes no second job (decision 27). */
  readonly sent?: { readonly idempotencyKey: string; readonly input: string } | undefined;
}

/** The answers of a form. */
export interface Form {
  answers: FormAnswers;
  sent: Kept['sent'];
  /** When its file was last written, in ISO 8601; undefined where there was none. */
  readonly keptAt: string | undefined;
  /** Keeps the answers as they are now. */
  keep(): Promise<void>;
  /** Takes them away: the form is done with. */
  forget(): void;
}

/** The form as the user's data directory has it; without answers where none were kept. Throws CONFIG_UNREADABLE. */
export function keptForm({ streams, context: { env, clock } }: FormWorld): Form {
  const path = dataPaths(directories(env)).formAnswers;
  const kept = keptIn(path);
  let isTold = false;
  return {
    answers: kept?.answers ?? NO_ANSWERS,
    sent: kept?.sent,
    keptAt: kept?.keptAt,
    async keep() {
      const { answers, sent } = this;
      const keptAt = new Date(clock()).toISOString();
      const unkept = await writeFormAnswers(path, { answers, keptAt, sent } satisfies Kept);
      if (unkept === undefined || isTold) return;
      isTold = true;
      await say(streams, 'dim', `warning: ${unkept}`);
    },
    forget: () => removeIfPossible(path),
  };
}

/** A form that nothing is kept of: it changes what is kept elsewhere. */
export function unkeptForm(answers: FormAnswers): Form {
  return { answers, sent: undefined, keptAt: undefined, keep: async () => {}, forget: () => {} };
}

function keptIn(path: string): Kept | undefined {
  const value = readFormAnswers(path);
  if (value === undefined) return undefined;
  const { answers, keptAt, sent } = (value ?? {}) as Partial<Kept>;
  const known = keptAnswers(answers);
  if (known === undefined || typeof keptAt !== 'string')
    throw unusable(path, 'it holds no answers of a form');
  return { answers: known, keptAt, sent };
}
