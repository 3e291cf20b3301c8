import { assertChanges } from './schema-changes.ts';

// test/long covers every command, on PostgreSQL too.
for (const line of ['jobs list', 'dashboard status', 'jobs create --title Cook', 'engine migrate'])
  it(`\`partner ${line}\` changes a missing, empty, older, current or newer database only as it may`, () =>
    assertChanges(line, 'sqlite'));
