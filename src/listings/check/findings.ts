import { checkJobInput, checkJobUpdate } from '../../contract/check.ts';
import { completenessGaps, draftWarnings } from '../../contract/gate.ts';
import { howToWrite } from '../../contract/how-to-write.ts';
import { EMPTY_CONTENT, type JobContent } from '../../contract/job.ts';
import {
  createProblem,
  type FieldPath,
  fieldName,
  NO_PROBLEMS,
  PROBLEMS_MAX,
  type Problem,
} from '../../contract/problems.ts';
import { isObject, LIMITS, type Limits } from '../../contract/values.ts';
import { normalise, type Places } from '../../places/place-names.ts';
import { countriesByName } from '../../places/regions.ts';
import { formatFlags } from '../flag-values.ts';
import {
  checkPlace,
  checkText,
  hasLocations,
  type TextPlace,
  textLocations,
} from '../places/place-problems.ts';
import { formatMebibytes } from '../read/bytes.ts';
import type { Listing } from '../read/listing.ts';
import { type Finding, type Rule, toFinding } from './finding.ts';
import { guardrails, type SpendRules } from './guardrails.ts';

export interface Checking {
  /** True if the listing may be incomplete. Rules between fields then only warn (decision 24). */
  readonly draft: boolean;
  readonly as?: 'create' | 'update';
  readonly places: Places | undefined;
  readonly textPlace?: (text: string) => TextPlace;
  readonly limits?: Limits;
  readonly spending?: SpendRules;
  /** Defaults to `!draft`. */
  readonly isLive?: boolean;
  readonly hasFieldFlags?: boolean;
}

export interface CheckedValue {
  readonly value: unknown;
  readonly findings: Finding[];
  readonly omitted: Omitted;
}

export type Omitted = Readonly<Record<Finding['level'], number>>;

export function checkListing(listing: Listing, checking: Checking): CheckedValue {
  const { limits = LIMITS, places } = checking;
  const textPlace = (text: string) => (places ? checkText(text, places) : { location: UNRESOLVED });
  const resolved = placesOfText(listing.value, checking.textPlace ?? textPlace, limits.arrayEntries);
  const { value, problems: unresolved } = resolved;
  const checked = (checking.as === 'update' ? checkJobUpdate : checkJobInput)(value, limits);
  const { problems: named, more } = checked.ok ? NO_PROBLEMS : checked;
  const problems = withoutIds(named, value);
  // Another server may accept what only the bundled engine refuses (decision 31).
  const isTolerated = ({ isOwnRule }: Problem) => isOwnRule === true && places === undefined;
  const wrong = [...problems.filter((problem) => !isTolerated(problem)), ...unresolved];
  const errors = listing.flaws.filter(({ level }) => level !== 'warning');
  const lost = new Set(errors.map(({ path = [] }) => fieldName(path)));
  const findings = listing.flaws.map((flaw) => toFinding(flaw, listing));
  const add: Add = (rule, problem, level = 'error') => {
    const position = listing.locate(problem.path, rule === 'unknown-field' ? 'name' : 'value');
    const { path, message } = problem;
    const hint = chooseHint(problem, rule, listing, checking.hasFieldFlags);
    findings.push({ ...toFinding({ rule, path, message, hint, ...position }, listing), level });
  };
  for (const problem of problems.filter(({ path }) => !lost.has(fieldName(path)))) {
    const rule = problem.meant === undefined ? 'invalid-value' : 'unknown-field';
    const message = `${problem.message} (this server may reject it)`;
    if (isTolerated(problem)) add(rule, { ...problem, message }, 'warning');
    else add(rule, problem);
  }
  for (const problem of sizeProblems(value, limits)) add('body-size', problem);
  for (const problem of [...unresolved, ...placeProblems(value, wrong, places)])
    add('unknown-place', problem);
  addContentProblems(value, wrong, checking, add);
  // A draft can be untitled, but an untitled row's title is probably in an unmapped column.
  const isRow = checking.draft && checking.as !== 'update' && listing.advice !== undefined && isObject(value);
  if (isRow && !Object.hasOwn(value, 'title')) add('incomplete', createProblem(['title'], 'is missing'));
  addUnclearPay(value, listing.unclearPay, add);
  nameWhereCombined(findings, listing, checking);
  return { value, ...limitFindings(findings, more + (listing.flawsOmitted ?? 0)) };
}

/** Adds the listing's name to problems of a `_defaults.yaml` that occur only together with this listing. */
function nameWhereCombined(findings: Finding[], { origins, ...listing }: Listing, checking: Checking): void {
  if (origins === undefined || findings.every(({ file }) => file === listing.file)) return;
  const fields = Object.entries(listing.value as object).filter(([field]) => Object.hasOwn(origins, field));
  const alone = checkListing({ ...listing, value: Object.fromEntries(fields) }, checking).findings;
  const { line } = listing.locate([]);
  for (const [at, finding] of findings.entries()) {
    const { file, field, message } = finding;
    const isShared = file !== listing.file && Object.hasOwn(origins, field.replace(/\W.*/s, ''));
    const isKnown = alone.some((other) => other.field === field && other.message === message);
    if (isShared && !isKnown)
      findings[at] = { ...finding, message: `${message} (for ${listing.file}:${line})` };
  }
}

type Add = (rule: Rule, problem: Problem, level?: Finding['level']) => void;

function limitFindings(found: readonly Finding[], errorsOmitted: number): Omit<CheckedValue, 'value'> {
  const sorted = found.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const errors = sorted.filter(({ level }) => level === 'error');
  const warnings = sorted.filter(({ level }) => level === 'warning');
  const kept = new Set([...errors, ...warnings].slice(0, PROBLEMS_MAX));
  const left = (all: readonly Finding[]): number => all.filter((finding) => !kept.has(finding)).length;
  return {
    findings: sorted.filter((finding) => kept.has(finding)),
    omitted: { error: left(errors) + errorsOmitted, warning: left(warnings) },
  };
}

const AN_OBJECT = 'a listing must be an object: { "title": "Welder", … }';
const NO_LIST = "remove one pair of [ ]: lists can't be nested";

/** Rules whose hints mention JSON fields and cents. For a table, the hint shows the column instead. */
const IN_JSON: readonly Rule[] = ['incomplete', 'unusual-value'];

function chooseHint({ path, hint }: Problem, rule: Rule, listing: Listing, hasFieldFlags = false): string {
  if (path.length === 0) return hint ?? (Array.isArray(listing.value) ? NO_LIST : AN_OBJECT);
  const { advice } = listing;
  const isOfTable = path.at(-1) === 'answerFormat' || (path[0] !== 'remoteCountry' && IN_JSON.includes(rule));
  if (advice !== undefined) return advice(path, isOfTable ? undefined : hint);
  const written = hint ?? howToWrite(path, undefined) ?? `fix ${fieldName(path)}`;
  const flags = hasFieldFlags && formatFlags(path, rule === 'incomplete');
  if (!flags || rule === 'unknown-field') return written;
  if (hint !== undefined) return `${hint} (${flags})`;
  return listing.file === '' ? `pass ${flags}` : `${written}, or pass ${flags}`;
}

function placesOfText(value: unknown, textPlace: (text: string) => TextPlace, entriesMax: number) {
  if (textLocations(value, entriesMax).length === 0) return { value, problems: [] };
  const problems: Problem[] = [];
  const listing = value as { locations: unknown[] };
  const locations = listing.locations.map((location, index) => {
    if (typeof location !== 'string') return location;
    const place = textPlace(location);
    if ('location' in place) return place.location;
    const hint = explainCutPlace(listing.locations[index - 1], location) ?? place.problem.hint;
    problems.push(createProblem(['locations', index], place.problem.message, hint));
    return UNRESOLVED;
  });
  return { value: { ...listing, locations }, problems };
}

/** YAML parses `[Austin, TX]` as two texts. */
function explainCutPlace(before: unknown, text: string): string | undefined {
  if (typeof before !== 'string' || before.includes(',') || !/^[A-Z]{2}$/.test(text)) return undefined;
  return `put a place with a comma in quotes: ${JSON.stringify([`${before}, ${text}`])}`;
}

function withoutIds(problems: readonly Problem[], value: unknown): readonly Problem[] {
  const lost = problems.filter(({ path, meant }) => isId(path) || meant?.some(isId));
  return lost.reduce((others, { path: [list = '', at = 0] }) => {
    const given = (value as Record<string, object[]>)[list]?.[Number(at)] ?? {};
    const names = Object.values(given).filter((name) => typeof name === 'string' && /\p{L}/u.test(name));
    if (names.length === 0 || 'locationId' in given) return others;
    const hint = `use the place name as text: ${JSON.stringify(names.slice(0, 3).join(', '))}`;
    const problem = createProblem([list, at], 'has no locationId', hint);
    return [...others.filter(({ path }) => path[0] !== list || path[1] !== at), problem];
  }, problems);
}

function isId([list, , name]: FieldPath): boolean {
  return list === 'locations' && name === 'locationId';
}

/** Amounts without a code are US dollars only if the job is in the United States. Without a place, `$` is a guess. */
function addUnclearPay(value: unknown, pay: Listing['unclearPay'], add: Add): void {
  if (pay === undefined || !isObject(value)) return;
  const places = Array.isArray(value.locations) ? value.locations : [];
  const countries = [...places.map((one) => one?.country), value.remoteCountry].map(String);
  const named = countries.filter((country) => /\p{L}/u.test(country) && country !== 'undefined');
  if (named.some((name) => countriesByName().get(normalise(name))?.code === 'US')) return;
  const reason = named.length > 0 ? ", because the job isn't in the United States" : '';
  const problem = createProblem([pay.field], `"${pay.text}" may not be in US dollars${reason}`, pay.hint);
  add('invalid-value', problem, named.length === 0 && pay.text.includes('$') ? 'warning' : 'error');
}

const UNRESOLVED = { locationId: 1, city: '?', stateProvince: '', country: '?' };

function placeProblems(value: unknown, wrong: readonly Problem[], places: Places | undefined): Problem[] {
  if (!places || !hasLocations(value)) return [];
  return value.locations.flatMap((location, index) => {
    const isWrong = wrong.some(({ path: [field, at = index] }) => field === 'locations' && at === index);
    const problem = isWrong ? undefined : checkPlace(location, places);
    const path = ['locations', index, 'locationId'];
    return problem ? [createProblem(path, problem.message, problem.hint)] : [];
  });
}

function addContentProblems(
  value: unknown,
  problems: readonly Problem[],
  { draft, as, spending, isLive = !draft }: Checking,
  add: Add,
): void {
  if (!isObject(value)) return;
  const wrong = new Set(problems.flatMap(({ path, meant = [] }) => [path, ...meant]).map(([field]) => field));
  const rightFields = Object.entries(value).filter(
    ([field]) => Object.hasOwn(EMPTY_CONTENT, field) && !wrong.has(field),
  );
  const content = { ...EMPTY_CONTENT, ...Object.fromEntries(rightFields) } as JobContent;
  const isUpdate = as === 'update';
  const gaps = isUpdate ? [] : (draft ? draftWarnings : completenessGaps)(content);
  const costs = content.bidPerQualifiedApplicantCents !== null || spending?.requireBudget === true;
  const needsCap = isUpdate ? 'budgets' in value : isLive && costs;
  const isRight = ({ path }: Problem) => !wrong.has(path[0]);
  for (const gap of gaps.filter(isRight)) add('incomplete', gap, draft ? 'warning' : 'error');
  for (const guarded of guardrails(content, needsCap, spending).filter(isRight)) {
    add(guarded.rule, guarded, guarded.rule === 'spend-rule' ? 'error' : 'warning');
  }
}

/** Limits the request body to the maximum of decision 15. */
function sizeProblems(value: unknown, { bodyBytes }: Limits): Problem[] {
  const size = Buffer.byteLength(JSON.stringify(value) ?? '');
  if (size <= bodyBytes) return [];
  const message = `the listing must be at most ${formatMebibytes(bodyBytes)} MiB when sent, got ${formatMebibytes(size)} MiB`;
  return [createProblem([], message, 'shorten its longest fields')];
}
