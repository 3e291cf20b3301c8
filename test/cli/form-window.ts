import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import questions from './form-questions.json' with { type: 'json' };
import { withEngine } from './homes.ts';
import type { Home } from './partner.ts';
import type { Terminal, TerminalOptions } from './terminal.ts';

type OpenTerminal = (options?: TerminalOptions) => Promise<Terminal>;

/** Waits for `shown`, then types strings and presses lists of keys. */
export type Step = readonly [shown: RegExp, ...pressed: (string | readonly string[])[]];
export const ENTER = ['Enter'];

export const QUESTIONS = (questions as [string, ...(string | string[])[]][][]).map((steps) =>
  steps.map(([shown, ...pressed]): Step => [new RegExp(shown), ...pressed]),
);

const { remoteCountry: _, atsJobUrl: __, ...ANSWERED } = COMPLETE_LISTING;
export const LISTING = {
  ...ANSWERED,
  description: 'We wire schools.\n\nDay shift.',
  qualifications: [{ text: 'Texas journeyman license', kind: 'REQUIRED', order: 1 }],
  questions: [{ prompt: 'Years since you were licensed', answerFormat: 'NUMBER', order: 1 }],
  budgets: [{ window: 'WEEKLY', budgetCents: 20_000 }],
};

export const NEXT = /\? What do you want to do next\?/;

export async function openForm(openTerminal: OpenTerminal, home: Home, options: TerminalOptions = {}) {
  await home.file('written', 'printf "We wire schools.\\n\\nDay shift.\\n" > "$1"\n');
  return openTerminal({ home, rows: 90, ...options, env: { EDITOR: 'sh written', ...options.env } });
}

export async function answer(window: Terminal, ...steps: readonly Step[]): Promise<void> {
  for (const [shown, ...pressed] of steps) {
    await window.shows(shown);
    for (const keys of pressed) await (typeof keys === 'string' ? window.type(keys) : window.press(...keys));
  }
}

export const answersOf = (home: Home): string => join(home.data, 'form.json');

export async function leftAtQuestions(openTerminal: OpenTerminal, leavesAfter: (index: number) => boolean) {
  const home = await withEngine();
  const window = await openForm(openTerminal, home);
  const leaveWithAnswers = async (): Promise<void> => {
    assert.match(
      await window.interrupt(),
      /your answers are saved. Continue with `partner jobs create --resume`/,
    );
  };
  await window.start('partner jobs create');
  await window.shows(/\? Title\b/);
  await window.interrupt();
  let isLeft = true;
  for (const [index, steps] of QUESTIONS.entries()) {
    const next = QUESTIONS[index + 1]?.[0];
    if (next === undefined) break;
    if (isLeft) await window.start(`partner jobs create${index === 0 ? '' : ' --resume'}`);
    await answer(window, ...steps);
    await window.shows(next[0]);
    isLeft = index === 0 || index === QUESTIONS.length - 2 || leavesAfter(index);
    if (isLeft) await leaveWithAnswers();
  }
  // Answers are saved even if the question was only viewed.
  await window.start('partner jobs create --resume');
  await window.shows(/\? ATS URL/);
  await leaveWithAnswers();
  const { answers } = JSON.parse(readFileSync(answersOf(home), 'utf8'));
  assert.deepEqual({ ...answers.content }, LISTING);
}
