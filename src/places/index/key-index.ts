import { EditRows } from '../../text/edit-distance.ts';
import type { NameBudget } from '../place-names.ts';
import {
  DIRECTORY_WORDS,
  findLastRow,
  type IndexFile,
  KEY_HEAD_BYTES,
  KEY_MAX_BYTES,
  KEYS_PER_BLOCK,
  type KeyIndexName,
} from './index-file.ts';

export interface NearKey {
  readonly edits: number;
  readonly postings: Uint32Array;
}

/** Appended to a key, these bytes sort after the key itself, the key with more words, and any longer key. */
const FOLLOWERS = [0x00, 0x21, 0xff];

/** Sorted keys in blocks, each stored as its difference from the last. Postings of a prefix are contiguous. */
export class KeyIndex {
  #lastBlock: { readonly number: number; readonly bytes: Buffer } | undefined;

  constructor(
    private readonly file: IndexFile,
    private readonly name: KeyIndexName,
  ) {}

  /** Returns postings of the key (`whole`), of keys with more words (`words`), and of longer words (`inWord`). */
  find(key: string) {
    const bytes = Buffer.from(`${key}\0`);
    const start = this.#firstPosting(bytes.subarray(0, -1));
    const [words, inWord, end] = FOLLOWERS.map((follower) => {
      bytes[bytes.length - 1] = follower;
      return this.#firstPosting(bytes);
    }) as [number, number, number];
    const postings = this.#postings(start, end);
    return {
      whole: postings.subarray(0, words - start),
      words: postings.subarray(words - start, inWord - start),
      inWord: postings.subarray(inWord - start),
    };
  }

  near(key: string, maxEdits: number, front: string, budget?: NameBudget): NearKey[] {
    const directory = this.#directory();
    const first = this.#findBlock(Buffer.from(front), directory);
    const last = this.#findBlock(Buffer.from([...Buffer.from(front), 0xff]), directory);
    const keys = this.#keys(first, last + 1, directory);
    if (budget !== undefined) budget.namesLeft -= KEYS_PER_BLOCK * (last + 1 - first);
    const rows = new EditRows(Buffer.from(key), maxEdits, 2 * KEY_MAX_BYTES);
    const found: NearKey[] = [];
    let posting = directory[DIRECTORY_WORDS * first + 2] as number;
    for (let at = 0; at < keys.length; ) {
      const shared = keys[at] as number;
      const end = at + KEY_HEAD_BYTES + (keys[at + 1] as number);
      const count = readCount(keys, at);
      const edits = rows.advance(shared, keys, at + KEY_HEAD_BYTES, end);
      if (edits <= maxEdits) found.push({ edits, postings: this.#postings(posting, posting + count) });
      at = end;
      posting += count;
    }
    return found;
  }

  #firstPosting(key: Buffer): number {
    const directory = this.#directory();
    const block = this.#findBlock(key, directory);
    const bytes = this.#block(block, directory);
    let posting = directory[DIRECTORY_WORDS * block + 2] as number;
    // Bytes that `key` shares with the previous stored key. If the next key shares more with its neighbor, it sorts
    // before `key`. If it shares less, it sorts after `key`.
    let matched = 0;
    for (let at = 0; at < bytes.length; ) {
      const shared = bytes[at] as number;
      const end = at + KEY_HEAD_BYTES + (bytes[at + 1] as number);
      if (shared < matched) return posting;
      if (shared === matched) {
        let own = at + KEY_HEAD_BYTES;
        while (own < end && matched < key.length && bytes[own] === key[matched]) {
          own++;
          matched++;
        }
        if (matched === key.length) return posting;
        if (own < end && (bytes[own] as number) > (key[matched] as number)) return posting;
      }
      posting += readCount(bytes, at);
      at = end;
    }
    return posting;
  }

  #findBlock(key: Buffer, directory: Uint32Array): number {
    const heads = this.file.whole(`${this.name}.heads`);
    return findLastRow(directory.length / DIRECTORY_WORDS - 1, (row) => {
      const start = directory[DIRECTORY_WORDS * row + 1] as number;
      const end = directory[DIRECTORY_WORDS * (row + 1) + 1] as number;
      return key.compare(heads.subarray(start, end)) > 0;
    });
  }

  #block(number: number, directory: Uint32Array): Buffer {
    if (this.#lastBlock?.number === number) return this.#lastBlock.bytes;
    const bytes = this.#keys(number, number + 1, directory);
    this.#lastBlock = { number, bytes };
    return bytes;
  }

  #keys(firstBlock: number, endBlock: number, directory: Uint32Array): Buffer {
    const start = directory[DIRECTORY_WORDS * firstBlock] as number;
    const end = directory[DIRECTORY_WORDS * endBlock] as number;
    return this.file.bytes(`${this.name}.keys`, start, end);
  }

  #directory(): Uint32Array {
    const bytes = this.file.whole(`${this.name}.directory`);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  #postings(start: number, end: number): Uint32Array {
    return this.file.words(`${this.name}.postings`, start, end);
  }
}

function readCount(keys: Buffer, at: number): number {
  return (keys[at + 2] as number) | ((keys[at + 3] as number) << 8);
}
