import assert from 'node:assert/strict';
import type { Command } from '@oclif/core';
import { commandList, TOPICS } from '../../../src/cli/help/topics.ts';
import { viewOf } from '../../../src/cli/terminal/view.ts';
import { widthOf } from '../../../src/cli/terminal/width.ts';
import { commandHelp, rootHelp, topicHelp } from '../../../src/commands/help/help-view.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';

const on = (columns: number, colour = false) => viewOf(fakeStreams({ isTerminal: true, columns, colour }), 0);

const EXAMPLE = {
  id: 'jobs:close',
  summary: 'Close jobs for good',
  description: 'A closed job stays closed.',
  strict: false,
  examples: ['partner jobs close 12', { description: 'In a script', command: 'partner jobs close 12 --yes' }],
  args: { id: { name: 'id', required: true, description: 'The job' } },
  flags: {
    yes: { name: 'yes', type: 'boolean', char: 'y', description: 'Close without asking' },
    why: { name: 'why', type: 'option', helpValue: 'DONE|DROPPED', description: 'The reason' },
    every: { name: 'every', type: 'option', helpValue: 'TIME', default: '5s', description: 'How often' },
    keep: { name: 'keep', type: 'boolean', allowNo: true, description: 'Keep it, or not' },
    inner: { name: 'inner', hidden: true, description: 'For us' },
    json: { name: 'json', helpGroup: 'GLOBAL', description: 'Print JSON' },
  },
} as unknown as Command.Cached;

describe('the help of a command', () => {
  it('shows what it takes, its own flags before the global ones, and examples that can be pasted', () => {
    assert.equal(
      commandHelp(EXAMPLE, on(80)),
      `Close jobs for good

USAGE
  $ partner jobs close ID... [FLAGS]

DESCRIPTION
  A closed job stays closed.

ARGUMENTS
  ID  The job

FLAGS
  -y, --yes     Close without asking
  --why VALUE   The reason: DONE, DROPPED
  --every TIME  How often (default 5s)
  --[no-]keep   Keep it, or not

GLOBAL FLAGS
  --json  Print JSON

EXAMPLES
  $ partner jobs close 12

  In a script:
  $ partner jobs close 12 --yes
`,
    );
  });

  it('lists the fields of a job before all else, and what few servers need last', () => {
    for (const [id, headings] of [
      ['jobs:create', ['JOB FIELD', 'FLAGS', 'GLOBAL', 'SERVER']],
      ['jobs:update', ['JOB FIELD', 'FLAGS', 'GLOBAL', 'SERVER']],
      ['jobs:plan', ['FLAGS', 'GLOBAL', 'SERVER']],
      ['jobs:apply', ['FLAGS', 'GLOBAL', 'SERVER']],
    ] as const) {
      const command = commandList().find((known) => known.id === id);
      assert.ok(command);
      const text = commandHelp(command, on(80));
      const shown = [...text.matchAll(/^(FLAGS|.*(?= FLAGS$))/gm)].map(([heading]) => heading);
      assert.deepEqual(shown, headings, id);
      assert.match(text, /SERVER FLAGS\n {2}--location-query-parameter NAME .*\n[\s\S]*?--limits VALUE/);
    }
  });
});

describe('help at any width', () => {
  const pages = (columns: number): string[] => [
    rootHelp(commandList(), on(columns)),
    ...Object.entries(TOPICS).map(([name, about]) => topicHelp(name, about, commandList(), on(columns))),
    ...commandList().map((command) => commandHelp(command, on(columns))),
  ];

  for (const columns of [40, 80, 200]) {
    it(`breaks no word and, but for a command line, is within ${columns} columns`, () => {
      for (const line of pages(columns).flatMap((page) => page.split('\n'))) {
        if (line.includes('$ ') || line.includes('partner ')) continue;
        assert.ok(widthOf(line) <= columns, `${widthOf(line)} columns: ${line}`);
      }
    });
  }
});
