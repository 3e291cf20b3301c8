import { PartnerError } from '../../contract/errors.ts';
import { andMore } from '../../contract/problems.ts';
import type { Finding } from './finding.ts';

/**
 * The error that refuses a listing before it is sent, with every finding that is an error by its field;
 * undefined where there is none; `errorsOmitted` is how many more there are. FILE_INVALID where the text cannot be read as listings at all.
 */
export function refusal(findings: readonly Finding[], errorsOmitted = 0): PartnerError | undefined {
  const errors = findings.filter(({ level }) => level === 'error');
  const [first] = errors;
  if (first === undefined) return undefined;
  if (first.field === '') {
    const message = `${first.file}:${first.line}:${first.column}: ${first.message}`;
    return new PartnerError('FILE_INVALID', { message, hint: first.hint });
  }
  const isIncomplete = errors.every(({ rule }) => rule === 'incomplete');
  const what = `the listing is ${isIncomplete ? 'incomplete' : 'invalid'}${
    errorsOmitted > 0 ? `: these${andMore(errorsOmitted)}` : ''
  }`;
  return new PartnerError('VALIDATION_FAILED', {
    message: first.file === '' ? what : `${first.file}: ${what}`,
    fields: fieldsOf(errors),
  });
}

/** Each field once, with all that is wrong with it. A map first: a field may be called `__proto__`. */
function fieldsOf(errors: readonly Finding[]): Record<string, string> {
  const fields = new Map<string, string>();
  for (const { field, line, column, message, hint } of errors) {
    const place = line === 0 ? '' : ` (line ${line}, column ${column})`;
    const text = `${message}${place}${hint === undefined ? '' : `; ${hint}`}`;
    const before = fields.get(field);
    fields.set(field, before === undefined ? text : `${before} · ${text}`);
  }
  return Object.fromEntries(fields);
}
