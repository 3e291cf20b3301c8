import type { Connection } from '../../connection.ts';
import type { SpendRules } from '../../contract/guardrails.ts';
import { type FormAnswers, keptAnswers, NO_ANSWERS } from '../../intake/form/answers.ts';
import { removeIfPossible } from '../../own-files/own-file.ts';
import { dataPaths, directories } from '../../settings/directories.ts';
import { readFormAnswers, unusable, writeFormAnswers } from '../../settings/form-answers.ts';
import type { Surroundings } from '../../surroundings.ts';
import { say } from '../../ui/form/say.ts';
import type { Streams } from '../../ui/streams.ts';

/** What a form is given of the command that it is part of. */
export interface FormWorld {
  readonly streams: Streams;
  readonly surroundings: Surroundings;
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
export function keptForm({ streams, surroundings: { env, clock } }: FormWorld): Form {
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
