import { beginningOf, writtenValue } from './how-to-write.ts';
import { amountsIn, periodIn } from './money.ts';
import { nearest } from './nearest.ts';
import { type FieldPath, invalid, type Problem } from './problems.ts';
import synonyms from './synonyms.json' with { type: 'json' };

/** What other systems and people call the fields, in lower case and without anything between the letters. */
const FIELD_SYNONYMS: Readonly<Record<string, string>> = synonyms.fields;
const ENTRY_SYNONYMS: Readonly<Record<string, Readonly<Record<string, string>>>> = synonyms.entryFields;

const ELSEWHERE: readonly (readonly [names: RegExp, hint: string])[] = [
  [
    /^(?:companyid|applicationcounts|isfrozen|newapplicantcount|publishedat|expiresat|closedat|createdat|updatedat|company|companyname|employer)$/,
    'take it out; the service knows it',
  ],
  [
    /^(?:startdate|dateposted|postedat|posteddate|enddate|deadline|closingdate|expires|expirydate|validthrough)$/,
    'take it out; a listing runs for 30 days from when it is published',
  ],
  [/^required$/, 'take it out; whatever an applicant must have is a qualification of kind "REQUIRED"'],
];

const NO_SUCH_FIELD =
  'take it out, or say it in the description; `partner schema` shows the fields there are';

/** A field that the contract does not know, with the one that was meant where that can be told (decision 16). */
export function unknownField(path: FieldPath, given: unknown, known: readonly string[]): Problem {
  const meant = fieldsMeant(path, known);
  const hint = hintOf(path, beginningOf(given), meant.fields, meant.isSpelling);
  return {
    ...invalid(path, 'is not a known field', hint),
    meant: meant.fields.map((field) => [...path.slice(0, -1), field]),
  };
}

function fieldsMeant(
  path: FieldPath,
  known: readonly string[],
): { readonly fields: readonly string[]; readonly isSpelling: boolean } {
  const key = String(path.at(-1));
  const word = plain(key);
  const same = known.find((field) => plain(field) === word);
  if (same !== undefined) return { fields: [same], isSpelling: true };
  const names = path.length === 1 ? FIELD_SYNONYMS : (ENTRY_SYNONYMS[String(path[0])] ?? {});
  const found = Object.entries(names).find(([, others]) => others.split(' ').includes(word));
  const fields = found?.[0].split(' ').filter((field) => known.includes(field)) ?? [];
  if (fields.length > 0) return { fields, isSpelling: false };
  const near = isElsewhere(word) ? undefined : nearest(key, known);
  return { fields: near === undefined ? [] : [near], isSpelling: true };
}

function hintOf(path: FieldPath, given: unknown, fields: readonly string[], isSpelling: boolean): string {
  const [field] = fields;
  const word = plain(String(path.at(-1)));
  if (field === undefined) return isElsewhere(word) ?? NO_SUCH_FIELD;
  if (isSpelling) return `did you mean ${field}?`;
  const pairs =
    fields.length > 1 ? payPairs(given) : [[field, meantAs([...path.slice(0, -1), field], word, given)]];
  const written = pairs.map(
    ([name, value]) => `${JSON.stringify(name)}${value === undefined ? '' : `: ${value}`}`,
  );
  return `write ${written.join(', ')} instead`;
}

function meantAs(path: FieldPath, name: string, given: unknown): string | undefined {
  const [field] = path;
  if (path.length === 1 && field === 'budgets') return budgetMeant(name, given);
  if (path.length === 1 && field === 'publish' && /^(?:status|state)$/.test(name)) return 'true';
  // A name without "cents" speaks of dollars; a number of hundreds is hardly one of dollars.
  const isDollars =
    field === 'bidPerQualifiedApplicantCents' &&
    typeof given === 'number' &&
    given < 500 &&
    !name.includes('cents');
  return writtenValue(path, isDollars ? `$${given}` : given);
}

function budgetMeant(name: string, given: unknown): string | undefined {
  const window = /^daily|^weekly|^monthly/.exec(name)?.[0] ?? 'monthly';
  const [amount] = typeof given === 'number' || typeof given === 'string' ? amountsIn(String(given)) : [];
  if (amount === undefined) return writtenValue(['budgets'], given);
  return writtenValue(['budgets'], { [name.includes('cents') ? `${window}cents` : window]: amount });
}

function payPairs(given: unknown): [string, string | undefined][] {
  const text = typeof given === 'object' ? JSON.stringify(given) : String(given);
  const [low, high = low] = amountsIn(text).map(Math.round);
  const period = periodIn(text) ?? (high !== undefined && high < 1000 ? 'HOURLY' : 'ANNUAL');
  return [
    ['salaryMin', String(low ?? 85000)],
    ['salaryMax', String(high ?? 105000)],
    ['salaryPeriod', JSON.stringify(period)],
  ];
}

function isElsewhere(word: string): string | undefined {
  return ELSEWHERE.find(([names]) => names.test(word))?.[1];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
