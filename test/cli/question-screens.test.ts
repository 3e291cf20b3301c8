import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertScreens, inView } from '../commands/screen.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { ALL_ASKED } from './form-asked.ts';
import { withEngine } from './homes.ts';
import type { Home } from './partner.ts';
import { type Terminal, terminals } from './terminal.ts';

const SCREENS = fileURLToPath(new URL('./screens/', import.meta.url));

interface Asked {
  readonly line: string;
  /** What stands on the terminal, and what is typed then. */
  readonly steps: readonly (readonly [stands: RegExp, typed: string])[];
  /** What stands on it when it is looked at. */
  readonly stands: RegExp;
  /** The form's answers so far. */
  readonly answers?: object;
}

/** The form and the picker, each where somebody has to read it to go on. */
const QUESTIONS: Readonly<Record<string, Asked>> = {
  'form-text': { line: 'partner jobs create', steps: [], stands: /\? Title/ },
  'form-choice': {
    line: 'partner jobs create --title Welder --description "Steel frames." --interactive',
    steps: [],
    stands: /\? How is the work done\?/,
  },
  'form-wrong-answer': {
    line: 'partner jobs create --interactive --resume',
    answers: { content: { title: 'Welder' }, given: [], asked: ALL_ASKED.slice(0, 9) },
    steps: [[/\? Your bid/, 'a lot\r']],
    stands: /is not an amount/,
  },
  'form-end-with-gaps': {
    line: 'partner jobs create --resume',
    answers: { content: { title: 'Welder' }, given: [], asked: ALL_ASKED },
    steps: [],
    stands: /\? What next\?/,
  },
  'form-end-complete': {
    line: 'partner jobs create --resume',
    answers: { content: COMPLETE_LISTING, given: [], asked: ALL_ASKED },
    steps: [],
    stands: /\? What next\?/,
  },
  'picker-results': {
    line: 'partner locations pick',
    steps: [[/Which place/, 'aust']],
    stands: /❯ Austin, Texas/,
  },
  'picker-no-result': {
    line: 'partner locations pick',
    steps: [[/Which place/, 'zzqx']],
    stands: /[Nn]o place|nothing/,
  },
  'picker-several': {
    line: 'partner locations pick --many',
    steps: [
      [/Which places/, 'austin, tx'],
      [/❯ Austin, Texas/, '\r'],
    ],
    stands: /❯ that is all/,
  },
};

describe('what somebody reads who is asked', () => {
  const openTerminal = terminals();

  /** The window at the question, escape sequences in view; left by Ctrl-C then. */
  async function screenOf({ line, answers, steps, stands }: Asked, home: Home, window: Terminal) {
    await rm(join(home.data, 'form.json'), { force: true });
    if (answers !== undefined) {
      await home.file('data/form.json', { answers, keptAt: '2026-01-31T09:00:00.000Z' });
    }
    await window.enter(`clear; ${line}`);
    for (const [before, typed] of steps) {
      await window.shows(before);
      await window.type(typed);
    }
    await window.shows(stands);
    const shown = inView(await window.coloured());
    await window.press('C-c');
    await window.shows(/^error: interrupted[\s\S]*\n\$$/m);
    return shown;
  }

  for (const [name, asked] of Object.entries(QUESTIONS)) {
    it(`is ${name}, with colour and without`, async () => {
      const home = await withEngine();
      const terminal = await openTerminal({ home, columns: 80, rows: 60 });
      const plain = await screenOf({ ...asked, line: `NO_COLOR=1 ${asked.line}` }, home, terminal);
      const coloured = await screenOf(asked, home, terminal);
      assertScreens(name, `=== without colour\n${plain}\n\n=== in colour\n${coloured}\n`, SCREENS);
    });
  }
});
