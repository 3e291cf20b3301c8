import { readFileSync } from 'node:fs';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';

const KEY_PREFIX = 'sk_ext_';

/** True for what may be sent as a key: section 5 has the prefix, HTTP the rest. */
export function isKey(text: string): boolean {
  return text.startsWith(KEY_PREFIX) && /^[\x21-\x7e]{8,}$/.test(text);
}

/** The key in `text`, trimmed. Throws KEY_MISSING for anything else, which may be a secret of another service. */
export function checkedKey(text: string, source: string): string {
  const key = text.trim();
  if (isKey(key)) return key;
  throw new PartnerError('KEY_MISSING', {
    message: `${source} holds no partner key: a key begins with ${KEY_PREFIX} and has no spaces in it`,
    hint: 'look whether another secret got there; nothing was sent',
  });
}

/** The text of a key file, which holds the key alone, in one line. Throws CONFIG_UNREADABLE. */
export function readKeyFile(path: string): string {
  const unusable = (problem: string, cause?: unknown): PartnerError =>
    new PartnerError('CONFIG_UNREADABLE', {
      message: `the key file ${path} ${problem}`,
      hint: 'PARTNER_API_KEY_FILE names a file that holds the key alone, in one line',
      cause,
    });
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw unusable(`cannot be read: ${reasonOf(cause)}`, cause);
  }
  if (text === '') throw unusable('is empty');
  if (/[\r\n]/.test(text)) throw unusable('has more than one line');
  return text;
}
