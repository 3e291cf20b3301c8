import type { Chunks } from './bytes.ts';

/** A line of a file, without its end. */
export interface Line {
  /** Valid until the next line is taken. */
  readonly bytes: Buffer;
  /** From 1. */
  readonly number: number;
  /** How many bytes of the file stand before it. */
  readonly bytesBefore: number;
  /** True where it is longer than it may be: `bytes` is empty then. */
  readonly isTooLong: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * The lines of a file that are not empty, whatever its chunks. A line ends with LF, CRLF or CR. A byte order
 * mark at the beginning is taken off. No more than a chunk and `bytesMax` is held at any time.
 */
export async function* linesOf(chunks: Chunks, bytesMax: number): AsyncGenerator<Line> {
  for await (const lines of linesByChunk(chunks, bytesMax)) yield* lines;
}

/** The same lines, those of a chunk at a time, which must be taken before the next: of millions, none is waited for. */
export async function* linesByChunk(chunks: Chunks, bytesMax: number): AsyncGenerator<Iterable<Line>> {
  const splitter = new LineSplitter(bytesMax);
  for await (const chunk of chunks) yield splitter.linesThrough(chunk);
  yield splitter.rest();
}

class LineSplitter {
  private readonly bytesMax: number;
  /** The beginning of a line that goes on in the next chunk. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private number = 1;
  private lineStart = 0;
  private endedInCr = false;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** The lines that end in this chunk. */
  *linesThrough(chunk: Buffer): Generator<Line> {
    if (chunk.length === 0) return;
    let from = this.endedInCr && chunk[0] === LF ? 1 : 0;
    this.lineStart += from;
    this.endedInCr = false;
    let lf = indexIn(chunk, LF, from);
    let cr = indexIn(chunk, CR, from);
    for (let end = Math.min(lf, cr); end < chunk.length; end = Math.min(lf, cr)) {
      const next = chunk[end] === CR && chunk[end + 1] === LF ? end + 2 : end + 1;
      this.endedInCr = end === chunk.length - 1 && chunk[end] === CR;
      yield* this.ended(chunk.subarray(from, end), next - end);
      from = next;
      // Looked for only once it is passed: where a file has none of the one, it is not sought at every line.
      if (lf < from) lf = indexIn(chunk, LF, from);
      if (cr < from) cr = indexIn(chunk, CR, from);
    }
    this.hold(chunk.subarray(from));
  }

  /** The last line, where nothing ends it. */
  *rest(): Generator<Line> {
    yield* this.ended(Buffer.alloc(0), 0);
  }

  private *ended(part: Buffer, endBytes: number): Generator<Line> {
    const length = this.heldBytes + part.length;
    const isTooLong = length > this.bytesMax;
    const line = { number: this.number, isTooLong };
    const bytesBefore = this.lineStart;
    const whole = this.held.length === 0 ? part : Buffer.concat([...this.held, part]);
    this.held = [];
    this.heldBytes = 0;
    this.number++;
    this.lineStart += length + endBytes;
    const marked = bytesBefore === 0 && whole.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const skipped = marked ? BYTE_ORDER_MARK.length : 0;
    if (isTooLong) yield { ...line, bytes: Buffer.alloc(0), bytesBefore };
    else if (length > skipped)
      yield { ...line, bytes: whole.subarray(skipped), bytesBefore: bytesBefore + skipped };
  }

  private hold(part: Buffer): void {
    if (part.length === 0) return;
    this.heldBytes += part.length;
    if (this.heldBytes > this.bytesMax) this.held = [];
    else this.held.push(Buffer.from(part));
  }
}

/** Where the byte stands from there on; the chunk's length where it does not. */
function indexIn(chunk: Buffer, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from);
  return index === -1 ? chunk.length : index;
}
