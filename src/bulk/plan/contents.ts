import type { JobUpdate } from '../../contract/job.ts';
import type { FieldDigests } from '../state/state.ts';

const KEPT_CHARACTERS_MAX = Number.POSITIVE_INFINITY;

/** The contents of listings between the reading and the sending of them, as far as they fit. */
export interface Contents {
  /** `digests` are those of the content. */
  keep(key: string, content: JobUpdate, digests: FieldDigests): void;
  get(key: string): JobUpdate | undefined;
  digestsOf(key: string): FieldDigests | undefined;
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
  const kept = new Map<string, { readonly text: Uint8Array; readonly digests: FieldDigests }>();
  let left = charactersMax;
  return {
    keep(key, content, digests) {
      if (left <= 0) return;
      const text = JSON.stringify(content);
      left -= text.length;
      if (left >= 0) kept.set(key, { text: encoder.encode(text), digests });
    },
    get(key) {
      const found = kept.get(key);
      return found === undefined ? undefined : JSON.parse(decoder.decode(found.text));
    },
    digestsOf: (key) => kept.get(key)?.digests,
    drop: (key) => void kept.delete(key),
  };
}
