import type { ColumnName } from '../../contract/job-fields.ts';
import { isObject } from '../../contract/values.ts';
import { findMeaning } from '../../places/decide/find-meaning.ts';
import type { Places } from '../../places/place-names.ts';
import { words } from '../../text/words.ts';
import type { Finding } from '../check/finding.ts';
import { checkListing } from '../check/findings.ts';
import { type Listing, type MapPart, type Mapping, toMappingKey } from '../read/listing.ts';
import { parseChoiceCell } from '../read/table/cells.ts';
import { COLUMNS, findColumn, isIgnoredHeader, splitUnit, suggestColumns } from '../read/table/columns.ts';
import { RIVALS } from '../read/table/row-cells.ts';
import { findCurrency } from '../vocabulary/vocabulary.ts';

export interface MappedColumn {
  readonly name: string;
  readonly field: ColumnName | 'ignore';
  readonly example: string;
  /** True if the column needs no entry in the mapping. */
  readonly isRead: boolean;
  /** The likely field of a doubtful column, and the reason for the doubt. */
  readonly candidate?: ColumnName | undefined;
  readonly doubt?: string | undefined;
  /** True if the amounts may not be in US dollars. */
  readonly needsCurrency?: boolean | undefined;
}

export function proposeColumn(name: string, values: readonly string[], known: Mapping, places: Places) {
  const currency = [name, ...values].map(findCurrency).find((code) => code !== undefined && code !== '$');
  const variety = new Set(values).size / Math.max(values.length, 1);
  const shown = { name, example: values[0] ?? '', currency, variety };
  const column = findColumn(name, known);
  if (column !== undefined) {
    const own = column === 'ignore' ? column : column.name;
    const mayDiffer = isChoice(own) && !known.columns?.has(toMappingKey(name));
    // "Work type" can mean the workplace or the employment type.
    const seen = mayDiffer ? guessFromValues(values, places, own) : undefined;
    const field = isChoice(seen) ? seen : own;
    return { ...shown, field, isRead: field === own };
  }
  const isIgnored = name === '' || isIgnoredHeader(name);
  const { near, contained } = isIgnored ? {} : suggestColumns(name);
  const seen = isIgnored ? undefined : guessFromValues(values, places);
  const candidate = contained ?? seen;
  // A company's URL isn't the job's URL.
  const isOfOther = words(name).split(' ').some(isIgnoredHeader);
  const sure = near ?? (contained === seen && !isOfOther ? seen : undefined);
  const ignored = { ...shown, field: 'ignore' as const, isRead: false };
  if (sure !== undefined) return { ...ignored, field: sure };
  // A job without caps has no spend limit.
  const isMoney = !isIgnored && splitUnit(name).unit !== undefined;
  if (candidate === undefined)
    return { ...ignored, doubt: isMoney ? 'its name contains a currency' : undefined };
  const doubt = `its ${contained ? 'name contains' : 'values look like'} "${COLUMNS[candidate].header}"`;
  return { ...ignored, candidate, doubt };
}

export type Proposed = MappedColumn & {
  readonly currency: string | undefined;
  /** Share of different values. */
  readonly variety: number;
};

const VALUES_CHECKED = 30;
const PLACES = /^(?:locations|city)$/;
/** Headers that can mean the name of a company or person. */
const A_NAME = /^(?:name|nombre)$/i;

const CHOICES = ['jobType', 'remoteOption', 'jobLevel'] as const;

function isChoice(field: string | undefined): field is (typeof CHOICES)[number] {
  return CHOICES.some((choice) => choice === field);
}

const LOOKS: readonly (readonly [ColumnName, (text: string, places: Places) => boolean])[] = [
  ['atsJobUrl', (text) => /^https?:\/\//.test(text)],
  ...CHOICES.map((field) => [field, (text: string) => 'value' in parseChoiceCell(field, text)] as const),
  ['locations', (text, places) => ['place', 'remote'].includes(findMeaning(text, places).kind)],
];

function guessFromValues(
  values: readonly string[],
  places: Places,
  preferred?: ColumnName,
): ColumnName | undefined {
  const distinct = [...new Set(values)].slice(0, VALUES_CHECKED);
  const isMostly = (test: (text: string) => boolean) =>
    distinct.length > 0 && distinct.filter(test).length * 5 >= distinct.length * 4;
  const looks = [...LOOKS.filter(([field]) => field === preferred), ...LOOKS];
  return looks.find(([, test]) => isMostly((text) => test(text, places)))?.[0];
}

/** Returns one column per field. Falls back to a doubtful title column, because each row needs a title. */
export function chooseColumns(part: MapPart, given: readonly Proposed[]): Proposed[] {
  const filled = given.filter(({ name, example }) => name !== '' || example !== '');
  const columns = withoutRivals(part, filled);
  const title = columns.find(({ candidate, example }) => candidate === 'title' && example !== '');
  const hasTitle = columns.some(({ field }) => field === 'title');
  return columns.map((one) => (one === title && !hasTitle ? { ...one, field: 'title' } : one));
}

/**
 * Keeps one column for each field, preferably one with values, then one in US dollars, then one with the field's own name.
 * Prefers the place column with more different values. Next to a state column, a column with places contains cities.
 */
function withoutRivals(part: MapPart, given: readonly Proposed[]): Proposed[] {
  const find = (field: string) => given.find((one) => one.field === field);
  const [place, city] = [find('locations'), find('city')];
  const isCity = find('state') !== undefined && city === undefined;
  // A column with few places may contain the places that a scraper searched.
  const isSearched = place !== undefined && city !== undefined && place.variety > 2 * city.variety;
  const columns = given.map((one): Proposed => {
    if (isCity && one.field === 'locations') return { ...one, field: 'city', isRead: false };
    const isOther = isSearched && (one.field === 'city' || one.field === 'state');
    return isOther ? ignoreColumn({ ...one, field: 'locations' }, place.name) : one;
  });
  const mostVaried = Math.max(...columns.map(({ field, variety }) => (PLACES.test(field) ? variety : 0)));
  const rank = ({ name, field, currency, example, variety }: Proposed) => {
    const isVague =
      A_NAME.test(name) || (field === 'remoteOption' && /^(?:true|false|yes|no)$/i.test(example));
    const byName = field.toLowerCase().startsWith(words(name)) ? 1 : isVague ? -1 : 0;
    if (PLACES.test(field) && example !== '') return 2 + byName + (3 * variety) / mostVaried;
    return example === '' ? -1 : (currency === undefined ? 2 : currency === 'USD' ? 4 : 0) + byName;
  };
  const byPreference = columns.toReversed().sort((one, other) => rank(one) - rank(other));
  const taken = new Map<string, string>(byPreference.map(({ field, name }) => [field, name]));
  return columns.map((one) => {
    const { name, field } = one;
    if (field === 'ignore' || (part === 'fields' && one.isRead)) return one;
    const rivals = RIVALS.find(([first]) => first === field) ?? [field];
    const other = rivals.map((rival) => taken.get(rival)).find((column) => (column ?? name) !== name);
    return other === undefined ? one : ignoreColumn(one, other);
  });
}

function ignoreColumn(one: Proposed, other: string): Proposed {
  const candidate = one.field === 'ignore' ? undefined : one.field;
  return { ...one, field: 'ignore', candidate, isRead: false, doubt: `same field as "${other}"` };
}

const SHORT_CHARACTERS = 40;

/** Returns why valid values probably belong to another field. */
function describeUnlike(field: ColumnName, texts: readonly string[]): string | undefined {
  const short = texts.filter(({ length }) => length < SHORT_CHARACTERS).length;
  if (field === 'description' && short * 2 > texts.length) return 'most values are short';
  const isRepeated = texts.length > 1 && new Set(texts).size * 5 <= texts.length * 4;
  return /^(?:atsJobUrl|opportunityId)$/.test(field) && isRepeated ? "its values aren't unique" : undefined;
}

/** Ignores a column if more than half of its values can't be read, unless the user has mapped it. */
export function doubtWrong(
  { currency, variety: _, ...column }: Proposed,
  checked: readonly (readonly [listing: Listing, errors: readonly Finding[]])[],
  known: Mapping,
  isPlaces: boolean,
): MappedColumn {
  const { name, field } = column;
  if (field === 'ignore' || known.columns?.has(toMappingKey(name))) return column;
  const ignored = { ...column, field: 'ignore', isRead: false, candidate: field } as const;
  // Publishing spends money.
  if (field === 'publish' && !column.isRead) return { ...ignored, doubt: 'it would publish jobs' };
  const { field: ours, kind } = COLUMNS[field];
  const given = checked.filter(([{ value }]) => isObject(value) && Object.hasOwn(value, ours));
  const texts = given.flatMap(([{ value }]) => [(value as Record<string, unknown>)[ours]].flat().map(String));
  const unlike = isPlaces || !PLACES.test(field) ? describeUnlike(field, texts) : "most values aren't places";
  if (unlike !== undefined && name.toLowerCase() !== field) return { ...ignored, doubt: unlike };
  const isHere = (one: Finding) =>
    kind === 'dollars' ? /^salaryM/.test(one.field) : rootField(one) === ours;
  const errors = given.flatMap(([, found]) => found.find(isHere) ?? []);
  const [first] = errors;
  if (first === undefined || errors.length * 2 <= given.length) return column;
  const doubt = first.message.replace(/^the (?:column|field) ".*?" /, '');
  const needsCurrency = kind === 'dollars' && currency === undefined && known.currency === undefined;
  return { ...ignored, doubt, needsCurrency };
}

/** Clears the doubt if the column is empty or another column maps to the field. */
export function withoutTaken(columns: readonly MappedColumn[]): MappedColumn[] {
  const taken = new Set(columns.map(({ field }) => field));
  return columns.map(({ candidate, doubt, ...column }) => {
    if (column.example === '') return column;
    return candidate && taken.has(candidate) ? { ...column, doubt } : { ...column, candidate, doubt };
  });
}

export function listErrors(listing: Listing, places: Places): Finding[] {
  const { findings } = checkListing(listing, { draft: true, places });
  return findings.filter(({ level, rule }) => level === 'error' && rule !== 'unknown-place');
}

export function rootField({ field }: Finding): string {
  return field.replace(/\W.*/s, '');
}
