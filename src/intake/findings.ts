import { checkJobInput, checkJobUpdate } from '../contract/check.ts';
import { completenessGaps, draftWarnings } from '../contract/gate.ts';
import {
  BudgetInputSchema,
  EMPTY_CONTENT,
  type JobContent,
  JobInputSchema,
  LocationInputSchema,
  QualificationInputSchema,
  QuestionInputSchema,
} from '../contract/job.ts';
import { LIMITS, type Limits } from '../contract/limits.ts';
import type { Places } from '../contract/places.ts';
import { type FieldPath, fieldName, type Problem } from '../contract/problems.ts';
import { mebibytes } from './bytes.ts';
import { flagsFor, gapFlagsFor } from './fields.ts';
import { type Finding, findingOf, type Rule } from './finding.ts';
import { checkPlace, checkText, type TextPlace } from './place-problems.ts';
import type { Listing } from './read.ts';

export interface Checking {
  /** True where the listing need not be complete: cross-field trouble is a warning then (decision 24). */
  readonly draft: boolean;
  /** What the listing is for; an update is part of a listing, and has no `publish`. */
  readonly as?: 'create' | 'update';
  /** The bundled places; undefined where the server's may be others: then ids are not checked. */
  readonly places: Places | undefined;
  /** What a location given as text means, where the places alone do not tell. */
  readonly textPlace?: (text: string) => TextPlace;
  readonly limits?: Limits;
}

interface Found {
  readonly problem: Problem;
  readonly rule: Rule;
  readonly level: Finding['level'];
}

export interface CheckedValue {
  /** The listing's value as it would be sent, where no finding is an error: its places are resolved. */
  readonly value: unknown;
  readonly findings: Finding[];
}

/** Everything to mend in a listing, in the order of the file. */
export function findingsOf(listing: Listing, checking: Checking): Finding[] {
  return checkListing(listing, checking).findings;
}

/**
 * A listing as it would be sent, and everything to mend in it: what its text lost, the contract's checks,
 * its places and its size and, unless it is a draft, the gaps that keep it from going live.
 */
export function checkListing(listing: Listing, checking: Checking): CheckedValue {
  const { limits = LIMITS, places } = checking;
  const textPlace = (text: string) => (places ? checkText(text, places) : { location: UNCHECKED });
  const asText = placesOfText(listing.value, checking.textPlace ?? textPlace);
  const sent = asText.value;
  const checked = (checking.as === 'update' ? checkJobUpdate : checkJobInput)(sent, limits);
  const lost = new Set(listing.flaws.map(({ path = [] }) => fieldName(path)));
  const problems = checked.ok ? [] : checked.problems;
  const invalid = problems.filter(({ path }) => !lost.has(fieldName(path)));
  const wrong = [...problems, ...asText.problems];
  const found = [
    ...invalid.map((problem) => foundAs(ruleOf(problem), problem)),
    ...sizeProblems(sent, limits).map((problem) => foundAs('body-size', problem)),
    ...[...asText.problems, ...placeProblems(sent, wrong, places)].map((problem) =>
      foundAs('unknown-place', problem),
    ),
    ...gaps(sent, wrong, checking).map((gap) =>
      foundAs('incomplete', gap, checking.draft ? 'warning' : 'error'),
    ),
  ];
  const findings = [
    ...listing.flaws.map((flaw) => findingOf(flaw, listing)),
    ...found.map((each) => located(each, listing)),
  ];
  return { value: sent, findings: findings.sort((a, b) => a.line - b.line || a.column - b.column) };
}

function foundAs(rule: Rule, problem: Problem, level: Finding['level'] = 'error'): Found {
  return { rule, problem, level };
}

/** A problem with its place in the file, and with how to mend it. */
function located({ problem, rule, level }: Found, listing: Listing): Finding {
  const position = listing.locate(problem.path, rule === 'unknown-field' ? 'name' : 'value');
  const { path, message } = problem;
  return { ...findingOf({ rule, path, message, hint: mending(problem, rule), ...position }, listing), level };
}

/** The problem's own hint, or what to do in general; and the flag that sets the field. */
function mending({ path, hint }: Problem, rule: Rule): string {
  if (path.length === 0) return hint ?? 'a listing is an object: { "title": "Welder", … }';
  if (rule === 'unknown-field') return hint ?? 'take it out; `partner schema` shows the fields there are';
  const flags = (rule === 'incomplete' ? gapFlagsFor : flagsFor)(path);
  if (hint !== undefined) return flags === '' ? hint : `${hint} (${flags})`;
  const mended = rule === 'incomplete' ? `set ${fieldName(path)}` : correction(path);
  return flags === '' ? mended : `${mended}, or give ${flags}`;
}

function correction(path: FieldPath): string {
  return path[0] === 'locations' && path.length > 1
    ? 'write the place as text, "Boston, Massachusetts", or as `partner locations search` shows it'
    : `correct ${fieldName(path)}`;
}

/** The value with its text locations as they would be sent; one that is not clear becomes a problem. */
export function placesOfText(
  value: unknown,
  textPlace: (text: string) => TextPlace,
): { value: unknown; problems: Problem[] } {
  if (textLocations(value).length === 0) return { value, problems: [] };
  const problems: Problem[] = [];
  const listing = value as { locations: unknown[] };
  const locations = listing.locations.map((location, index) => {
    if (typeof location !== 'string') return location;
    const place = textPlace(location);
    if ('location' in place) return place.location;
    problems.push({ path: ['locations', index], kind: 'invalid', ...place.problem });
    return UNCHECKED;
  });
  return { value: { ...listing, locations }, problems };
}

/** The locations of a listing that are given as text. */
export function textLocations(value: unknown): string[] {
  return hasLocations(value) ? value.locations.filter((location) => typeof location === 'string') : [];
}

/** Stands for a location that is not known yet, so that the rest of the listing can be checked. */
const UNCHECKED = { locationId: 1, city: '?', stateProvince: '', country: '?' };

function placeProblems(value: unknown, wrong: readonly Problem[], places: Places | undefined): Problem[] {
  if (!places || !hasLocations(value)) return [];
  return value.locations.flatMap((location, index) => {
    const isWrong = wrong.some(({ path: [field, at] }) => field === 'locations' && at === index);
    const problem = isWrong ? undefined : checkPlace(location, places);
    return problem
      ? [{ path: ['locations', index, 'locationId'], kind: 'invalid' as const, ...problem }]
      : [];
  });
}

function hasLocations(value: unknown): value is { locations: unknown[] } {
  return (
    typeof value === 'object' && value !== null && 'locations' in value && Array.isArray(value.locations)
  );
}

/** The gaps of a listing that is to be live, or what a draft is warned of; none for fields that are wrong anyway. */
function gaps(value: unknown, problems: readonly Problem[], { draft, as }: Checking): Problem[] {
  if (as === 'update' || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const wrong = new Set(problems.map(({ path: [field] }) => field));
  const rightFields = Object.entries(value).filter(
    ([field]) => Object.hasOwn(EMPTY_CONTENT, field) && !wrong.has(field),
  );
  const content = { ...EMPTY_CONTENT, ...Object.fromEntries(rightFields) } as JobContent;
  return (draft ? draftWarnings : completenessGaps)(content).filter(({ path: [field] }) => !wrong.has(field));
}

/** Decision 15. */
function sizeProblems(value: unknown, { bodyBytes }: Limits): Problem[] {
  const size = Buffer.byteLength(JSON.stringify(value) ?? '');
  if (size <= bodyBytes) return [];
  const message = `the listing has ${mebibytes(size)} MiB as it is sent; at most ${mebibytes(bodyBytes)} MiB`;
  return [{ path: [], kind: 'invalid', message, hint: 'shorten its longest texts' }];
}

const ENTRY_FIELDS: Readonly<Record<string, object>> = {
  locations: LocationInputSchema.shape,
  qualifications: QualificationInputSchema.shape,
  questions: QuestionInputSchema.shape,
  budgets: BudgetInputSchema.shape,
};

function ruleOf({ path }: Problem): Rule {
  if (path.length === 0) return 'invalid-value';
  const [list = '', , name = list] = path;
  const known = path.length === 1 ? JobInputSchema.shape : ENTRY_FIELDS[list];
  const isUnknown =
    path.length !== 2 && typeof name === 'string' && known !== undefined && !Object.hasOwn(known, name);
  return isUnknown ? 'unknown-field' : 'invalid-value';
}
