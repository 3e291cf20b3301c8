import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DONE, NOT_DONE } from '../../src/bulk/apply/outcome.ts';
import { EMPTY_DIGEST } from '../../src/bulk/plan/content.ts';
import { fieldVerdict } from '../../src/bulk/plan/fields.ts';
import { NOTES } from '../../src/bulk/plan/notes.ts';
import { PLAN_ACTIONS } from '../../src/bulk/plan/plan-item.ts';
import { formatState, parseState } from '../../src/bulk/state/state.ts';
import { PartnerError } from '../../src/contract/errors.ts';
import { runJson } from '../../src/reports/json.ts';
import { outcomeOf, planItem, runOf } from '../reports/sample-run.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = ['bulk', 'state', 'reports'].map((name) => textOf(`docs/${name}.md`)).join('\n');

/** The rows of the tables under a heading, up to the next one, as their cells. */
function rowsUnder(heading: string): string[][] {
  const [, rest = ''] = page.split(`\n${heading}\n`);
  const lines = (rest.split(/^#/m)[0] ?? '').split('\n');
  return lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/** The names in code that the rows under a heading begin with. */
function namesUnder(heading: string): string[] {
  return rowsUnder(heading).flatMap(([, first = '']) => /^`(\w+)`$/.exec(first)?.[1] ?? []);
}

/** The codes of notes, from their source: at run time only a note that was made has one. */
const noteCodes = Array.from(
  textOf('src/bulk/plan/notes.ts').matchAll(/code: '(\w+)'/g),
  ([, code = '']) => code,
);

describe('the pages on bulk runs say what plan and apply do', () => {
  const lists = [
    ['## Notes', [...new Set(noteCodes)]],
    ['## Actions', PLAN_ACTIONS],
    ['## Results', [...DONE, ...NOT_DONE]],
  ] as const;
  for (const [heading, names] of lists)
    it(`every one of the ${heading.slice(3).toLowerCase()}, each once`, () => {
      assert.ok(names.length > 5);
      assert.deepEqual(namesUnder(heading).toSorted(), names.toSorted());
    });

  it('with a state that is one, to the letter', () => {
    const [, example = ''] = /```json\n(\{\n {2}"version".*?\n\})\n```/s.exec(page) ?? [];
    const state = parseState('docs/state.md', example);
    assert.equal(formatState(state), `${example}\n`);
    const fields = new Set([JSON.parse(example), ...state.listings.values()].flatMap(Object.keys));
    assert.deepEqual(namesUnder('## State file format').toSorted(), [...fields].toSorted());
  });

  describe('what happens to a field', () => {
    const VALUES: Readonly<Record<string, readonly (string | undefined)[]>> = {
      'Not set': [undefined],
      Empty: [EMPTY_DIGEST],
      Anything: ['a', 'b', EMPTY_DIGEST, undefined],
      A: ['a'],
      B: ['b'],
      C: ['c'],
    };
    const VERDICTS = [
      [/^Nothing(?:\.|$)/, 'nothing'],
      [/`EDITED_ON_SERVER`/, 'edited'],
      [/`BOTH_CHANGED`/, 'conflict'],
      [/^Only the state file is updated/, 'learned'],
      [/is sent$|^The field is emptied/, 'change'],
    ] as const;
    const rows = rowsUnder('## Field comparison').slice(1);

    for (const [, file = '', applied = '', server = '', happens = ''] of rows)
      it(`${file}, ${applied}, ${server}: ${happens}`, () => {
        const verdict = VERDICTS.find(([told]) => told.test(happens))?.[1];
        for (const now of VALUES[server] ?? []) {
          const sides = {
            file: VALUES[file]?.[0],
            applied: VALUES[applied]?.[0],
            answered: undefined,
            server: now,
          };
          const decided = (overwrite: boolean) => fieldVerdict(sides, { isLocked: false, overwrite });
          assert.equal(decided(false), verdict);
          assert.equal(decided(true), happens.includes('--overwrite') ? 'change' : verdict);
        }
      });
  });

  describe('what a report holds', () => {
    const moved = { was: 'icu.json', replaces: 1, origins: { jobType: 'jobs/_defaults.yaml' } };
    const item = planItem({ status: 'EXPIRED', notes: [NOTES.EXPIRED(1)], notLive: 'EXPIRED', ...moved });
    const run = (command: 'plan' | 'apply') =>
      runOf({
        command,
        plan: { items: [item], unchanged: 0, notices: [], live: 0, complete: true },
        outcomes: [outcomeOf(item, { result: 'failed', error: new PartnerError('INTERNAL') })],
        error: new PartnerError('INTERRUPTED'),
      });
    const reportOf = (command: 'plan' | 'apply') => JSON.parse(JSON.stringify(runJson(run(command))));
    /** The fields of a table that are in the reports of a command. */
    const fieldsFor = (command: string, table: readonly string[][]) =>
      table
        .filter(([, , where = '']) => where === command || where === 'both')
        .map(([, name = '']) => name.replaceAll('`', ''))
        .toSorted();

    for (const command of ['plan', 'apply'] as const) {
      it(`of a ${command}: every field`, () =>
        assert.deepEqual(
          Object.keys(reportOf(command)).sort(),
          fieldsFor(command, rowsUnder('## Report fields')),
        ));

      it(`of an item of a ${command}: every field`, () => {
        const [only] = reportOf(command).items;
        assert.deepEqual(Object.keys(only ?? {}).sort(), fieldsFor(command, rowsUnder('## Item fields')));
      });
    }
  });
});
