import type { JobUpdate } from '../contract/job.ts';

/** So much of the listings' text stays in memory; what is beyond is read again when it is sent. */
const KEPT_CHARACTERS_MAX = 24 * 1024 * 1024;

/** The contents of listings between the reading and the sending of them, as far as they fit. */
export interface Contents {
  keep(key: string, content: JobUpdate): void;
  get(key: string): JobUpdate | undefined;
}

/** Keeps contents as text, which takes a third of what values take, up to `charactersMax` of it. */
export function createContents(charactersMax = KEPT_CHARACTERS_MAX): Contents {
  const texts = new Map<string, string>();
  let left = charactersMax;
  return {
    keep(key, content) {
      if (left <= 0) return;
      const text = JSON.stringify(content);
      left -= text.length;
      if (left >= 0) texts.set(key, text);
    },
    get(key) {
      const text = texts.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
  };
}
