import { escapeRunnerCommands } from '../../contract/outside-text.ts';
import { escapeHidden } from './view.ts';

/** The same document in parts: `{ items, … }` whose items are still to come is written item by item. */
export function jsonParts(value: unknown): Iterable<string> | AsyncIterable<string> {
  const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : undefined;
  return isAsyncIterable(items) ? itemParts(items, value as object) : [jsonText(value)];
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* itemParts(items: AsyncIterable<unknown>, document: object): AsyncGenerator<string> {
  let before = '{\n  "items": [';
  for await (const item of items) {
    yield `${before}\n    ${indented(item, '    ')}`;
    before = ',';
  }
  yield before === ',' ? '\n  ]' : `${before}]`;
  for (const name of Object.keys(document).filter((key) => key !== 'items'))
    yield `,\n  ${JSON.stringify(name)}: ${indented(document[name as keyof typeof document], '  ')}`;
  yield '\n}\n';
}

function indented(value: unknown, indent: string): string {
  return jsonText(value).trimEnd().replaceAll('\n', `\n${indent}`);
}

/** The one document that `--json` prints: indented, ended by a newline, safe on a terminal. */
export function jsonText(value: unknown): string {
  return `${escapeRunnerCommands(escapeHidden(JSON.stringify(value, null, 2) ?? 'null'))}\n`;
}
