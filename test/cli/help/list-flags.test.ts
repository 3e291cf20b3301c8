import assert from 'node:assert/strict';
import { listShape } from '../../../src/cli/flags/list-flags.ts';
import type { Column } from '../../../src/cli/terminal/column.ts';
import { PartnerError } from '../../../src/contract/errors.ts';

const column = (title: string, name?: string): Column<object> => ({
  title,
  text: () => '',
  ...(name === undefined ? {} : { name }),
});
const COLUMNS = [column('ID'), column('BASE URL'), column('', 'CURRENT')];
const [ID, BASE_URL, CURRENT] = COLUMNS;

function refusal(flags: Parameters<typeof listShape>[0]): PartnerError {
  try {
    listShape(flags, COLUMNS);
  } catch (error) {
    assert.ok(error instanceof PartnerError && error.code === 'USAGE');
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
}

describe('the flags of a list', () => {
  it('name columns by their titles in any case, with a space, a dash or a bar between words', () => {
    const { columns } = listShape({ columns: 'base-url, Id,BASE URL,base_url,current' }, COLUMNS);
    assert.deepEqual(columns, [BASE_URL, ID, BASE_URL, BASE_URL, CURRENT]);
  });

  it('sort upwards, and downwards behind `:desc`', () => {
    assert.deepEqual(listShape({ sort: 'id' }, COLUMNS).sort, { by: ID, isDescending: false });
    assert.deepEqual(listShape({ sort: 'ID:asc' }, COLUMNS).sort, { by: ID, isDescending: false });
    assert.deepEqual(listShape({ sort: 'base-url:DESC' }, COLUMNS).sort, {
      by: BASE_URL,
      isDescending: true,
    });
  });

  for (const flags of [{ columns: 'id,base-ulr' }, { sort: 'base-ulr' }, { sort: 'base-ulr:desc' }]) {
    it(`refuse ${JSON.stringify(flags)} with every name and the nearest`, () => {
      const { message, hint } = refusal(flags);
      assert.match(message, /must be one of ID, BASE-URL, CURRENT, not `base-ulr`/);
      assert.equal(hint, 'did you mean BASE-URL?');
    });
  }
});
