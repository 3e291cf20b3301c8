import { COLUMNS } from '../spec-server/columns.ts';
import { COMMANDS, SpecUser } from '../spec-server/commands.ts';

describe('against a server of the specification alone, whatever it does where that is silent', () => {
  const results = new Map<string, Map<string, boolean>>(
    Object.keys(COMMANDS).map((name) => [name, new Map()]),
  );

  for (const [column, variation] of Object.entries(COLUMNS)) {
    describe(column, () => {
      let user: SpecUser;
      before(async () => {
        user = await SpecUser.of(variation);
      });
      after(() => user.server.close());

      for (const [name, command] of Object.entries(COMMANDS)) {
        it(`${name} does what it says`, async () => {
          results.get(name)?.set(column, false);
          await command(user);
          results.get(name)?.set(column, true);
        });
      }
    });
  }

  after(() => console.log(table(results)));
});

/** Commands × columns, as Markdown. */
function table(results: ReadonlyMap<string, ReadonlyMap<string, boolean>>): string {
  const columns = Object.keys(COLUMNS);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['command', ...columns]),
    row(['---', ...columns.map(() => '---')]),
    ...[...results].map(([name, cells]) =>
      row([name, ...columns.map((column) => (cells.get(column) ? 'ok' : 'FAILS'))]),
    ),
  ].join('\n');
}
