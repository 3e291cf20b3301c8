import { escapeRunnerCommands } from '../contract/outside-text.ts';
import { escapeHidden, escapeNonAscii } from './clean.ts';
import type { Streams } from './streams.ts';

/**
 * The same document in parts: a value of the form `{ items }` whose items are still to come is written item by item,
 * everything else at once.
 */
export function jsonParts(
  value: unknown,
  streams: Pick<Streams, 'isAsciiOut'>,
): Iterable<string> | AsyncIterable<string> {
  const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : undefined;
  return isAsyncIterable(items) ? itemParts(items, streams) : [jsonText(value, streams)];
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* itemParts(
  items: AsyncIterable<unknown>,
  streams: Pick<Streams, 'isAsciiOut'>,
): AsyncGenerator<string> {
  let before = '{\n  "items": [';
  for await (const item of items) {
    yield `${before}\n    ${jsonText(item, streams).trimEnd().replaceAll('\n', '\n    ')}`;
    before = ',';
  }
  yield before === ',' ? '\n  ]\n}\n' : `${before}]\n}\n`;
}

/** The one document that `--json` prints: indented, ended by a newline, safe on a terminal, in ASCII where that is all it shows. */
export function jsonText(value: unknown, { isAsciiOut }: Pick<Streams, 'isAsciiOut'>): string {
  const json = escapeRunnerCommands(escapeHidden(JSON.stringify(value, null, 2) ?? 'null'));
  return `${isAsciiOut ? escapeNonAscii(json) : json}\n`;
}
