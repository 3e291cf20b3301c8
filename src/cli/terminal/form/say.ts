import { clean } from '../clean.ts';
import { painter, type Style } from '../paint.ts';
import type { Streams } from '../streams.ts';
import { wrap } from '../width.ts';

/** Says something beside the questions, wrapped to the window. */
export async function say(streams: Streams, style: Style, text: string): Promise<void> {
  const lines = wrap(clean(text), streams.columnsErr).join('\n');
  await streams.writeErr(`${painter(streams.colourErr)(style, lines)}\n`);
}
