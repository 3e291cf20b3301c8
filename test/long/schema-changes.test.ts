import assert from 'node:assert/strict';
import commands from '../cli/database-commands.json' with { type: 'json' };
import { commandNames } from '../cli/partner.ts';
import { assertChanges } from '../cli/schema-changes.ts';
import { describeOnServer } from '../engine/store/postgres-server.ts';

const LINES = commands.allowed.flatMap(([kind]) => commands[kind as 'reads']);

describe('a missing, empty, older, current or newer database is changed only as it may be', () => {
  it('by every command', () => {
    const isTried = (name: string) => LINES.some((line) => `${line} `.startsWith(`${name} `));
    const untried = commandNames().filter((name) => !isTried(name));
    assert.deepEqual(untried, []);
  });

  for (const line of LINES) it(`in a file, by \`${line}\``, () => assertChanges(line, 'sqlite'));

  describeOnServer('on a PostgreSQL server', () => {
    for (const line of LINES) it(`by \`${line}\``, () => assertChanges(line, 'postgres'));
  });
});
