import { hash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The highest multiple of 62 in a byte: what lies above would make some characters likelier. */
const EVEN_BYTES = 62 * 4;

/** `length` random characters of 0-9, A-Z and a-z, each as likely as the other. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < EVEN_BYTES && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

export function newPartnerKey(): string {
  return `sk_ext_${randomBase62(40)}`;
}

export function isPartnerKey(text: string): boolean {
  return /^sk_ext_[0-9A-Za-z]{32,}$/.test(text);
}

/** What is stored of a key: enough to know it again, not to make it (decision 19). */
export function digestOf(key: string): string {
  return hash('sha256', key, 'hex');
}
