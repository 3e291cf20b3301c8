import { COLUMNS } from '../spec-server/columns.ts';
import { COMMANDS, SpecUser } from '../spec-server/commands.ts';

/** One of each kind, with every third command; test/long covers all of them. */
const SOME = ['404 error', 'nulls everywhere', 'empty 204'];

describe('against a server of the specification alone', () => {
  for (const [at, column] of SOME.entries())
    it(`commands do what they say where the server has its own way: ${column}`, async () => {
      const user = await SpecUser.of(COLUMNS[column] ?? {});
      try {
        for (const [nth, command] of Object.values(COMMANDS).entries())
          if (nth % SOME.length === at) await command(user);
      } finally {
        await user.server.close();
      }
    });
});
