import { PartnerError } from '../../contract/errors.ts';

const KEY_PREFIX = 'sk_ext_';

/** True for what may be sent as a key: section 5 has the prefix, HTTP the rest. */
export function isKey(text: string): boolean {
  return text.startsWith(KEY_PREFIX) && /^[\x21-\x7e]{8,}$/.test(text);
}

/**
 * The key in `text`, without the space around it. Throws KEY_MISSING for anything else, which is then never
 * sent nor shown: it may be the secret of another service. `source` says where the text comes from.
 */
export function checkedKey(text: string, source: string): string {
  const key = text.trim();
  if (isKey(key)) return key;
  throw new PartnerError('KEY_MISSING', {
    message: `${source} holds no partner key: a key begins with ${KEY_PREFIX} and has no spaces in it`,
    hint: 'look whether another secret got there; nothing was sent',
  });
}
