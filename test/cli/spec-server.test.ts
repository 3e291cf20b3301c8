import { COLUMNS } from '../spec-server/columns.ts';
import { COMMANDS, SpecUser } from '../spec-server/commands.ts';

/** One of each kind; test/long covers all of them. */
const SOME = ['404 error', 'nulls everywhere', 'empty 204'];

describe('against a server of the specification alone', () => {
  for (const column of SOME)
    it(`every command does what it says where the server has its own way: ${column}`, async () => {
      const user = await SpecUser.of(COLUMNS[column] ?? {});
      try {
        for (const command of Object.values(COMMANDS)) await command(user);
      } finally {
        await user.server.close();
      }
    });
});
