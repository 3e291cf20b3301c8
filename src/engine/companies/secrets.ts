import { hash, randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
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
