import { readFileSync } from 'node:fs';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';

/** The text of a key file, which holds the key alone, in one line. Throws CONFIG_UNREADABLE. */
export function readKeyFile(path: string): string {
  const text = contentOf(path).trim();
  if (text === '') throw unusable(path, 'is empty');
  if (/[\r\n]/.test(text)) throw unusable(path, 'has more than one line');
  return text;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw unusable(path, `cannot be read: ${reasonOf(cause)}`, cause);
  }
}

function unusable(path: string, problem: string, cause?: unknown): PartnerError {
  return new PartnerError('CONFIG_UNREADABLE', {
    message: `the key file ${path} ${problem}`,
    hint: 'PARTNER_API_KEY_FILE names a file that holds the key alone, in one line',
    cause,
  });
}
