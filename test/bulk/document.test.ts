import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DONE, NOT_DONE } from '../../src/bulk/apply/outcome.ts';
import { EMPTY_DIGEST } from '../../src/bulk/plan/content.ts';
import { fieldVerdict } from '../../src/bulk/plan/fields.ts';
import notes from '../../src/bulk/plan/notes.json' with { type: 'json' };
import { createNote } from '../../src/bulk/plan/notes.ts';
import { PLAN_ACTIONS } from '../../src/bulk/plan/plan-item.ts';
import { formatState, parseState } from '../../src/bulk/state/state.ts';
import { PartnerError } from '../../src/contract/errors.ts';
import { runJson } from '../../src/reports/json.ts';
import { outcomeOf, planItem, runOf } from '../reports/sample-run.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = ['bulk', 'state', 'reports'].map((name) => textOf(`docs/${name}.md`)).join('\n');

/** Returns the cells of all table rows under a heading. */
function rowsUnder(heading: string): string[][] {
  const [, rest = ''] = page.split(`\n${heading}\n`);
  const lines = (rest.split(/^#/m)[0] ?? '').split('\n');
  return lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/** Returns the code names in the first column under a heading. */
function namesUnder(heading: string): string[] {
  return rowsUnder(heading).flatMap(([, first = '']) => /^`(\w+)`$/.exec(first)?.[1] ?? []);
}

const noteCodes = Object.entries(notes).map(([name, note]) => ('code' in note ? note.code : name));

describe('the pages about plan and apply match the code', () => {
  const lists = [
    ['## Notes', [...new Set(noteCodes)]],
    ['## Actions', PLAN_ACTIONS],
    ['## Results', [...DONE, ...NOT_DONE]],
  ] as const;
  for (const [heading, names] of lists)
    it(`list each of the ${heading.slice(3).toLowerCase()} once`, () => {
      assert.ok(names.length > 5);
      assert.deepEqual(namesUnder(heading).toSorted(), names.toSorted());
    });

  it('have a valid example of a state file with every field', () => {
    const [, example = ''] = /```json\n(\{\n {2}"version".*?\n\})\n```/s.exec(page) ?? [];
    const state = parseState('docs/state.md', example);
    assert.equal(formatState(state), `${example}\n`);
    const fields = new Set([JSON.parse(example), ...state.listings.values()].flatMap(Object.keys));
    assert.deepEqual(namesUnder('## State file format').toSorted(), [...fields].toSorted());
  });

  describe('the table of field changes', () => {
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

  describe('the tables of report fields', () => {
    const moved = {
      was: 'icu.json',
      replaces: 1,
      origins: { jobType: { file: 'jobs/_defaults.yaml', rule: 1, value: 'CONTRACT' } },
    };
    const item = planItem({
      status: 'EXPIRED',
      notes: [createNote('EXPIRED', { jobId: 1 })],
      notLive: 'EXPIRED',
      ...moved,
    });
    const run = (command: 'plan' | 'apply') =>
      runOf({
        command,
        plan: { items: [item], unchanged: 0, notices: [], live: 0, complete: true },
        outcomes: [outcomeOf(item, { result: 'failed', error: new PartnerError('INTERNAL') })],
        error: new PartnerError('INTERRUPTED'),
      });
    const reportOf = (command: 'plan' | 'apply') => JSON.parse(JSON.stringify(runJson(run(command))));
    /** Returns the fields of a table that apply to a command. */
    const fieldsFor = (command: string, table: readonly string[][]) =>
      table
        .filter(([, , where = '']) => where === command || where === 'both')
        .map(([, name = '']) => name.replaceAll('`', ''))
        .toSorted();

    for (const command of ['plan', 'apply'] as const) {
      it(`list every field of a report of ${command}`, () =>
        assert.deepEqual(
          Object.keys(reportOf(command)).sort(),
          fieldsFor(command, rowsUnder('## Report fields')),
        ));

      it(`list every field of an item of ${command}`, () => {
        const [only] = reportOf(command).items;
        assert.deepEqual(Object.keys(only ?? {}).sort(), fieldsFor(command, rowsUnder('## Item fields')));
      });
    }
  });
});
