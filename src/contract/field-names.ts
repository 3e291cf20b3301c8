import { beginningOf, writtenValue } from './how-to-write.ts';
import { nearest } from './nearest.ts';
import { type FieldPath, invalid, type Problem } from './problems.ts';
import synonyms from './synonyms.json' with { type: 'json' };
import { amountsIn, periodIn } from './words.ts';

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
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  const misspelt = known.find((field) => plain(field) === plain(key));
  const meant = misspelt === undefined ? fieldsCalled(plain(key), path, known) : [];
  const elsewhere = hintElsewhere(key);
  const near = misspelt ?? (elsewhere === undefined ? nearest(key, known) : undefined);
  const problem = (fields: readonly string[], hint: string): Problem => ({
    ...invalid(path, 'is not a known field', hint),
    meant: fields.map((field) => [...parent, field]),
  });
  const [first] = meant;
  if (first !== undefined) {
    const values = meant.length > 1 ? payIn(beginningOf(given)) : [writtenValue([...parent, first], given)];
    const written = meant.map((field, at) => `"${field}": ${values[at]}`);
    return problem(meant, `write ${written.join(', ')} instead`);
  }
  if (near !== undefined) return problem([near], `did you mean ${near}?`);
  return problem([], elsewhere ?? NO_SUCH_FIELD);
}

/** What to do with a field or column that belongs to something other than a listing. */
export function hintElsewhere(name: string): string | undefined {
  return ELSEWHERE.find(([names]) => names.test(plain(name)))?.[1];
}

function fieldsCalled(word: string, path: FieldPath, known: readonly string[]): readonly string[] {
  const names = path.length === 1 ? FIELD_SYNONYMS : (ENTRY_SYNONYMS[String(path[0])] ?? {});
  const found = Object.keys(names).find((fields) => names[fields]?.split(' ').includes(word));
  return found?.split(' ').filter((field) => known.includes(field)) ?? [];
}

/** `salaryMin`, `salaryMax` and `salaryPeriod`, as far as a text or an object says them. */
function payIn(given: unknown): readonly (number | string)[] {
  const text = typeof given === 'object' ? JSON.stringify(given) : String(given);
  const [low, high = low] = amountsIn(text).map(Math.round);
  const period = periodIn(text) ?? (high !== undefined && high < 1000 ? 'HOURLY' : 'ANNUAL');
  return [low ?? 85000, high ?? 105000, `"${period}"`];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
