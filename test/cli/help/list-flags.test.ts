import assert from 'node:assert/strict';
import { listFlags } from '../../../src/cli/flags/flag-values.ts';
import type { Column } from '../../../src/cli/terminal/table.ts';
import { PartnerError } from '../../../src/contract/errors.ts';

const column = (title: string, name?: string): Column<object> => ({
  title,
  text: () => '',
  ...(name === undefined ? {} : { name }),
});
const COLUMNS = [column('ID'), column('BASE URL'), column('', 'CURRENT')];
const [ID, BASE_URL, CURRENT] = COLUMNS;

async function parsed(flag: 'columns' | 'sort', given: string): Promise<unknown> {
  return listFlags(COLUMNS)[flag].parse(given, {} as never, {} as never);
}

describe('the flags of a list', () => {
  it('name columns by their titles in any case, with a space, a dash or a bar between words', async () => {
    const columns = await parsed('columns', 'base-url, Id,BASE URL,base_url,current');
    assert.deepEqual(columns, [BASE_URL, ID, BASE_URL, BASE_URL, CURRENT]);
  });

  it('sort upwards, and downwards behind `:desc`', async () => {
    assert.deepEqual(await parsed('sort', 'id'), { by: ID, isDescending: false });
    assert.deepEqual(await parsed('sort', 'ID:asc'), { by: ID, isDescending: false });
    assert.deepEqual(await parsed('sort', 'base-url:DESC'), { by: BASE_URL, isDescending: true });
  });

  for (const [flag, given] of [
    ['columns', 'id,base-ulr'],
    ['sort', 'base-ulr'],
    ['sort', 'base-ulr:desc'],
  ] as const)
    it(`refuse --${flag} ${given} with every name and the nearest`, () =>
      assert.rejects(parsed(flag, given), (error) => {
        assert.ok(error instanceof PartnerError && error.code === 'USAGE');
        assert.match(error.message, /must be one of ID, BASE-URL, CURRENT, not `base-ulr`/);
        assert.equal(error.hint, 'did you mean BASE-URL?');
        return true;
      }));
});
