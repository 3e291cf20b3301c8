import { escapeRunnerCommands } from '../../contract/outside-text.ts';
import { escapeHidden } from './view.ts';

/** Writes the same document in parts. Pending items are written one by one, followed by the other fields. */
export function jsonParts(value: unknown): Iterable<string> | AsyncIterable<string> {
  if (typeof value !== 'object' || value === null || !('items' in value)) return [jsonText(value)];
  const { items, ...more } = value;
  const isPending = typeof items === 'object' && items !== null && Symbol.asyncIterator in items;
  return isPending ? itemParts(items as AsyncIterable<unknown>, more) : [jsonText(value)];
}

async function* itemParts(items: AsyncIterable<unknown>, more: object): AsyncGenerator<string> {
  let before = '{\n  "items": [';
  for await (const item of items) {
    yield `${before}\n    ${jsonText(item).trimEnd().replaceAll('\n', '\n    ')}`;
    before = ',';
  }
  yield before === ',' ? '\n  ]' : `${before}]`;
  yield Object.keys(more).length === 0 ? '\n}\n' : `,${jsonText(more).slice(1)}`;
}

/** The one document that `--json` prints: indented, ended by a newline, safe on a terminal. */
export function jsonText(value: unknown): string {
  return `${escapeRunnerCommands(escapeHidden(JSON.stringify(value, null, 2) ?? 'null'))}\n`;
}
