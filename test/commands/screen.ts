import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toView, type View } from '../../src/cli/terminal/view.ts';
import { findFlag } from '../../src/listings/flag-values.ts';
import { fakeStreams } from '../cli/terminal/fake-streams.ts';
import { NOW } from './jobs/sample-job.ts';

const DIRECTORY = fileURLToPath(new URL('./jobs/screens/', import.meta.url));
const WIDTHS = [40, 80, 200];

/** Set UPDATE_SCREENS to rewrite the screens after an intended change, and review the diff. */
const { UPDATE_SCREENS, CI } = process.env;
const isWriting = Boolean(UPDATE_SCREENS) && !CI;

/** Shows the output at each width, without and with color, with visible escape sequences. */
export async function screensOf(show: (view: View) => string | Promise<string>): Promise<string> {
  let text = '';
  for (const columns of WIDTHS) {
    for (const colour of [false, true]) {
      const view = toView(fakeStreams({ isTerminal: true, columns, colour }), NOW, findFlag);
      text += `=== ${columns} columns, ${colour ? 'in colour' : 'without colour'}\n${inView(await show(view))}\n`;
    }
  }
  return text;
}

/** People read `screens/NAME.txt`, so review a difference before you rewrite the file. */
export function assertScreens(name: string, shown: string, directory = DIRECTORY): void {
  const path = `${directory}${name}.txt`;
  if (isWriting) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, shown);
  }
  assert.ok(existsSync(path), `there is no screens/${name}.txt: UPDATE_SCREENS=1 writes it`);
  assert.equal(
    shown,
    readFileSync(path, 'utf8'),
    `screens/${name}.txt is another; UPDATE_SCREENS=1 writes it anew`,
  );
}

export function writtenScreens(): string[] {
  return readdirSync(DIRECTORY).map((file) => file.replace(/\.txt$/, ''));
}

function inView(text: string): string {
  return text
    .replaceAll('\x1b', '\\e')
    .replace(
      /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
