import { escapeRunnerCommands } from '../../contract/outside-text.ts';
import { escapeHidden } from './view.ts';

/** The same document in parts: `{ items }` whose items are still to come is written item by item. */
export function jsonParts(value: unknown): Iterable<string> | AsyncIterable<string> {
  const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : undefined;
  return isAsyncIterable(items) ? itemParts(items) : [jsonText(value)];
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* itemParts(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '{\n  "items": [';
  for await (const item of items) {
    yield `${before}\n    ${jsonText(item).trimEnd().replaceAll('\n', '\n    ')}`;
    before = ',';
  }
  yield before === ',' ? '\n  ]\n}\n' : `${before}]\n}\n`;
}

/** The one document that `--json` prints: indented, ended by a newline, safe on a terminal. */
export function jsonText(value: unknown): string {
  return `${escapeRunnerCommands(escapeHidden(JSON.stringify(value, null, 2) ?? 'null'))}\n`;
}
