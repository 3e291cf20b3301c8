import type { JobUpdate } from '../contract/job.ts';

/** So much of the listings' text stays in memory; what is beyond is read again when it is sent. */
const KEPT_CHARACTERS_MAX = 24 * 1024 * 1024;

/** The contents of listings between the reading and the sending of them, as far as they fit. */
export interface Contents {
  keep(key: string, content: JobUpdate): void;
  get(key: string): JobUpdate | undefined;
  /** Nobody asks for it again. */
  drop(key: string): void;
}

/**
 * Keeps contents as JSON in bytes, which takes a fifth of what values take, and none of V8's heap, up to
 * `charactersMax` of it.
 */
export function createContents(charactersMax = KEPT_CHARACTERS_MAX): Contents {
  // `Buffer.from` would keep parts of memory that it shares with all that is read meanwhile.
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const texts = new Map<string, Uint8Array>();
  let left = charactersMax;
  return {
    keep(key, content) {
      if (left <= 0) return;
      const text = JSON.stringify(content);
      left -= text.length;
      if (left >= 0) texts.set(key, encoder.encode(text));
    },
    get(key) {
      const text = texts.get(key);
      return text === undefined ? undefined : JSON.parse(decoder.decode(text));
    },
    drop: (key) => void texts.delete(key),
  };
}
