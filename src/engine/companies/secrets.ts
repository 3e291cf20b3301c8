import { hash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from this value on are skipped, because they would make some characters more likely. */
const EVEN_BYTES = 62 * 4;

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < EVEN_BYTES && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

export function createPartnerKey(): string {
  return `sk_ext_${randomBase62(40)}`;
}

export function isPartnerKey(text: string): boolean {
  return /^sk_ext_[0-9A-Za-z]{32,}$/.test(text);
}

/** Only this digest is stored. It identifies a key but can't restore it (decision 19). */
export function digestSecret(key: string): string {
  return hash('sha256', key, 'hex');
}
