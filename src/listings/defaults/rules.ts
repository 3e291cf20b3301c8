import { checkJobInput } from '../../contract/check.ts';
import { unknownField } from '../../contract/how-to-write.ts';
import type { FieldPath } from '../../contract/problems.ts';
import { isObject } from '../../contract/values.ts';
import { hasPhrase, words } from '../../text/words.ts';
import type { Rule, SourcePosition } from '../check/finding.ts';
import type { Origin } from '../read/listing.ts';

const WHEN_FIELDS = ['title', 'department', 'description'];
const PAY_FIELDS = ['salaryMin', 'salaryMax', 'salaryPeriod'];
const SET_FIELDS = [
  ...['remoteOption', 'remoteCountry', 'jobType', 'jobLevel', 'bidPerQualifiedApplicantCents'],
  ...PAY_FIELDS,
];

const EXAMPLE = 'for example { when: { title: [senior, lead] }, set: { jobLevel: SENIOR } }';

export interface RuleValue {
  readonly origin: Origin;
  locate(part?: 'value' | 'name'): SourcePosition;
}

/** If each text of `when` contains one of its phrases, the rule sets the values of `set`. */
export interface ListingRule {
  readonly when: readonly (readonly [field: string, phrases: readonly string[]])[];
  readonly set: readonly (readonly [field: string, value: RuleValue])[];
}

export type Report = (path: FieldPath, message: string, hint: string, rule?: Rule) => void;

/** A `_defaults.yaml` and the fields that it shares. */
export interface Source {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  locate(path: FieldPath, part?: 'value' | 'name'): SourcePosition;
}

/** Returns the rules of a `_defaults.yaml`. After a reported problem, no listing is valid. */
export function readRules(given: unknown, { origin, locate }: Source, report: Report): ListingRule[] {
  return [given ?? []].flat().flatMap((entry: unknown, at) => {
    const path = ['rules', at];
    const { when, set } = pickKnown(entry, ['when', 'set'], path, report);
    if (!isObject(entry)) return [];
    const texts = Object.entries(pickKnown(when, WHEN_FIELDS, [...path, 'when'], report));
    const phrases = texts.map(
      ([field, text]) => [field, readPhrases(text, [...path, 'when', field], EXAMPLE, report)] as const,
    );
    const values = pickKnown(set, SET_FIELDS, [...path, 'set'], report);
    const checked = checkJobInput(values);
    for (const { path: inside, message, hint = EXAMPLE } of checked.ok ? [] : checked.problems)
      report([...path, 'set', ...inside], message, hint);
    const pay = PAY_FIELDS.filter((field) => Object.hasOwn(values, field));
    if (pay.length > 0 && pay.length < PAY_FIELDS.length)
      report([...path, 'set'], 'sets only a part of the pay', `set ${PAY_FIELDS.join(', ')}`);
    const sets = Object.entries(values).map(([field, value]): [string, RuleValue] => {
      const inSet: RuleValue['locate'] = (part) => locate([...path, 'set', field], part);
      return [field, { origin: { ...origin, rule: at + 1, value }, locate: inSet }];
    });
    return checked.ok ? [{ when: phrases, set: sets }] : [];
  });
}

/** Reports unknown names in a map, and a map that's missing or empty. */
function pickKnown(given: unknown, known: readonly string[], path: FieldPath, report: Report) {
  const entries = isObject(given) ? Object.entries(given) : [];
  const hint = `use ${known.join(', ')}`;
  if (entries.length === 0) report(path, `must be a map: ${hint}`, EXAMPLE);
  for (const [name, value] of entries.filter(([name]) => !known.includes(name))) {
    const { meant = [], hint: meantHint = hint } = unknownField([name], value, known);
    report([...path, name], "can't be in a rule", meant.length > 0 ? meantHint : hint, 'unknown-field');
  }
  return Object.fromEntries(entries.filter(([name]) => known.includes(name)));
}

/** Returns a text, or each text of a list, for `hasPhrase`. */
export function readPhrases(given: unknown, path: FieldPath, hint: string, report: Report): string[] {
  const phrases = [given].flat().map((text) => (typeof text === 'string' ? words(text) : ''));
  if (phrases.length === 0 || phrases.includes(''))
    report(path, 'must be a string with letters or digits, or a list of such strings', hint);
  return phrases;
}

/**
 * Returns the values that matching rules set for fields that the listing doesn't set. If several rules set a field, the
 * first one applies. If the listing sets any pay field, rules don't change its pay.
 */
export function matchRules(
  rules: readonly ListingRule[],
  listing: Readonly<Record<string, unknown>>,
  isOwn: (field: string) => boolean,
) {
  const texts: Record<string, string> = {};
  const matching = rules.filter(({ when }) =>
    when.every(([field, phrases]) => {
      texts[field] ??= words(String(listing[field] ?? ''));
      return hasPhrase(texts[field], phrases);
    }),
  );
  const kept = PAY_FIELDS.some(isOwn) ? PAY_FIELDS : [];
  const found = matching.toReversed().flatMap(({ set }) => set);
  return new Map(found.filter(([field]) => !isOwn(field) && !kept.includes(field)));
}
