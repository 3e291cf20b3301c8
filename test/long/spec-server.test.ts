import { fixture } from '../fixture.ts';
import { COLUMNS } from '../spec-server/columns.ts';
import { COMMANDS, SpecUser } from '../spec-server/commands.ts';

describe('against a server of the specification alone, whatever it does where that is silent', () => {
  for (const [column, variation] of Object.entries(COLUMNS))
    describe(column, () => {
      const user = fixture('all tests', () => SpecUser.of(variation));
      after(() => user.server.close());

      for (const [name, command] of Object.entries(COMMANDS))
        it(`${name} does what it says`, () => command(user));
    });
});
