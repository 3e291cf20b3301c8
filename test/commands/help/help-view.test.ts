import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Command } from '@oclif/core';
import { commandList, TOPICS } from '../../../src/cli/help/topics.ts';
import { toView } from '../../../src/cli/terminal/view.ts';
import { getWidth } from '../../../src/cli/terminal/width.ts';
import { commandHelp, rootHelp, topicHelp } from '../../../src/commands/help/help-view.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import GROUPS from './headings.json' with { type: 'json' };
import jobsClose from './jobs-close.json' with { type: 'json' };

const on = (columns: number, colour = false) => toView(fakeStreams({ isTerminal: true, columns, colour }), 0);

const EXAMPLE = jobsClose as unknown as Command.Cached;

describe('the help of a command', () => {
  it('shows what it takes, its own flags before the global ones, and examples that can be pasted', () =>
    assert.equal(
      commandHelp(EXAMPLE, on(80)),
      readFileSync(new URL('jobs-close.txt', import.meta.url), 'utf8'),
    ));

  it('groups the flags, and hides those that few servers need', () => {
    for (const [id, headings] of GROUPS.headings as [string, string[]][]) {
      const command = commandList().find((known) => known.id === id);
      assert.ok(command !== undefined && 'limits' in command.flags);
      const text = commandHelp(command, on(80));
      const shown = [...text.matchAll(/^(FLAGS|.*(?= FLAGS$))/gm)].map(([heading]) => heading);
      assert.deepEqual(shown, headings, id);
      assert.doesNotMatch(text, /--location-query-parameter|--limits|--no-lock/);
    }
  });
});

describe('help at any width', () => {
  const pages = (columns: number): string[] => [
    rootHelp(commandList(), on(columns)),
    ...Object.entries(TOPICS).map(([name, about]) => topicHelp(name, about, commandList(), on(columns))),
    ...commandList().map((command) => commandHelp(command, on(columns))),
  ];

  for (const columns of [40, 80, 200])
    it(`breaks no word and, but for a command line, is within ${columns} columns`, () => {
      for (const line of pages(columns).flatMap((page) => page.split('\n'))) {
        if (line.includes('$ ') || line.includes('partner ')) continue;
        assert.ok(getWidth(line) <= columns, `${getWidth(line)} columns: ${line}`);
      }
    });
});
