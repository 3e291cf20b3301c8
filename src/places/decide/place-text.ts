import { normalise } from '../place-names.ts';
import words from './words.json' with { type: 'json' };

export type RemoteOption = 'REMOTE' | 'HYBRID' | 'IN_PERSON';

/** A name between commas, and shorter forms of it: `greater boston area`, `boston area`, `boston`. */
export interface NamePart {
  readonly text: string;
  readonly names: readonly string[];
  readonly codes: readonly string[];
  /** True for two or three capital letters, which are more likely a code than a name. */
  readonly isCode: boolean;
  /** True for `Lagos State` or `Haidian District`. Their shorter forms never mean a city. */
  readonly isArea: boolean;
}

const OPTIONS = (['HYBRID', 'IN_PERSON', 'REMOTE'] as const).map((option) => {
  const alternatives = words.remoteOptions[option].join('|');
  const source = `(?<![\\p{L}\\d])(?:${alternatives})(?![\\p{L}\\d])`;
  // V8 compiles a pattern three times as fast without the flag `i`. Most texts need only that pattern.
  return { option, isInLowerCase: new RegExp(source, 'u'), pattern: new RegExp(source, 'giu') };
});

const NATIONWIDE = new Map(Object.entries(words.nationwide));
const UNNAMED_PLACES = new RegExp(
  `^(?:\\d+|${[...words.unnamed, ...NATIONWIDE.keys(), 'locations', 'offices'].join('|')})(?: (?:${[...words.unnamed, ...words.places].join('|')}|us|in|the))*$`,
);
const BEFORE = new RegExp(`^(?:${[...words.before, ...words.areaBefore].join('|')}) (?=.)`);
const AREA_BEFORE = new RegExp(`^(?:${words.areaBefore.join('|')}) `);
const AFTER = new RegExp(` (?:${words.after.join('|')})$`);
const AROUND = new Set([...words.before, ...words.after]);
const NOISE = new Set([...AROUND, ...words.places, ...words.unnamed, ...words.timeZones]);
NOISE.delete('bay area');
const AREA = new RegExp(`(?<!metropolitan) (?:${words.within.join('|')})$`);
const STREET = new RegExp(`\\b(?:${words.street.join('|')}|[a-z]{2,}(?:${words.streetEnd.join('|')}))\\b`);
const STREET_FIRST = new RegExp(`^(?:${words.streetFirst.join('|')}) [a-z]`);

/** Matches office days (`3 days per week`) and area remarks in parentheses: `(Washington, DC Metro Area)`. */
const BESIDES =
  /\d(?:-\d)? ?(?:days?|x) ?(?:\/|per|a) ?(?:week|wk)|(?<=\S) ?\((?:(?![^()]* or )[^()]{1,60} (?:area|region|district|neighbou?rhood)|hq in [^()]{1,60})\)/gi;
const BRACKETS = /[()[\]{}]+/g;
const BETWEEN_PARTS = /[,،、，:>_*+→»"]|\s[-–—−~·]+\s|[–—]|(?<=\s)-|-(?=\s)|\.\s*$|\s(?=\d{5}\s+\p{Lu})/u;
/** This pattern and the next one match hyphens in `US-TX-Austin` and `Austin-TX`, but not in `Winston-Salem`. */
const CODE_IN_FRONT = /^([A-Z]{2,3})-(?=\p{L})/u;
const CODE_BEHIND = /(?<=\p{Ll})-(?=[A-Z]{2,3}(?:$|[\s-]))/u;
/** Matches the letter of a district of Copenhagen: `København K`. */
const DISTRICT_LETTER = /(?<=\p{Ll}{3}) [CKNSVØ]$/gu;
/** Each code contains a digit, so texts without digits skip these patterns. */
const POSTAL_CODES = [
  /\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b/g,
  /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/g,
  /\b(?:[A-Z]\d{2}|D6W) [A-Z\d]{4}\b/g,
  /^\s*\d{4} ?[A-Z]{2}(?=\s+\p{L}|\s*$)/gu,
  /\b\d{2}-\d{3}\b/g,
  /\b(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?\b/g,
  /\b\d{3} \d{2}\b/g,
  /(?<=\p{L}{3}) (?:(?:[A-Z]{1,2})?\d{1,2}[A-Z]?|\d{1,2} ?(?:er|e|ème|eme|ième))(?: (?:arrondissement|arr\.?|cedex))?$/giu,
  /^\s*(?:[A-Z]{1,2})?\d{1,2}[A-Z]?\s*$/g,
];
const POSTAL_CODE =
  /\b(?:[A-Z]\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]{2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{5}|\d{2}-\d{3}|\d{4} (?=\p{Lu}))(?:\b|(?=\p{Lu}))/u;
const GENDERS = /\(?(?<![\p{L}\d])[mwfdxhkvžgi](?: ?[/|*] ?[mwfdxhkvžgi]){1,3}(?![\p{L}\d])\)?/giu;
const MORE_PLACES = /(?:(?<!\s)\s+)?(?:\+|\band\b|&)\s*\d+(?:\s*(?:more|others?))?(?:\s+locations?)?\s*$/i;

const PARTS_MAX = 150;

export function withoutRemarks(text: string): string {
  if (!/[\d/|*(]/.test(text)) return text;
  return text.replace(GENDERS, ' ').replace(BESIDES, ' ').replace(MORE_PLACES, '');
}

/** Parses the names, codes and work option of one place. Lists of places must be split first. */
export function parsePlaceText(text: string) {
  let rest = text.replace(BRACKETS, ', ');
  let remoteOption: RemoteOption | undefined;
  for (const { option, isInLowerCase, pattern } of OPTIONS) {
    const without = isInLowerCase.test(rest.toLowerCase()) ? rest.replace(pattern, ', ') : rest;
    if (without !== rest) remoteOption ??= option;
    rest = without;
  }
  const parts = rest
    .split(BETWEEN_PARTS)
    .flatMap(splitAtCodes)
    .map((part) => part.trim())
    .filter((part) => normalise(part) !== '');
  const nationwide = parts.flatMap((part) => NATIONWIDE.get(normalise(part)) ?? []);
  const named = parts.filter(
    (part) => /^[\s\d-]+$/.test(part) || !(isNoise(part) || UNNAMED_PLACES.test(normalise(part))),
  );
  const outside = named.filter((part) => !isStreet(part));
  const kept = (outside.length > 0 ? outside : named).slice(0, PARTS_MAX).map(namePart);
  return {
    remoteOption,
    nationwide,
    isUnnamed: parts.some((part) => isUnnamed(part, kept.length > 0)),
    parts: withCodes(kept),
  };
}

/** Assigns a code between commas to the name before it, or otherwise to the next name. */
function withCodes(parts: readonly NamePart[]): NamePart[] {
  const named: NamePart[] = [];
  let before: readonly string[] = [];
  for (const part of parts) {
    const last = named.pop();
    if (part.names.length > 0)
      named.push(...(last ? [last] : []), { ...part, codes: [...before, ...part.codes] });
    else if (last) named.push({ ...last, codes: [...last.codes, ...part.codes] });
    before = named.length > 0 ? [] : [...before, ...part.codes];
  }
  return named;
}

/** True for words such as `HQ`, which add nothing to a city and don't name a place on their own. */
function isUnnamed(part: string, isBesideOthers: boolean): boolean {
  const name = normalise(part);
  return UNNAMED_PLACES.test(name) && !(isBesideOthers && AROUND.has(name));
}

/** True for filler words, except two capital letters (`IN`, `OR`, `OK`), which may be a state. */
function isNoise(part: string): boolean {
  return NOISE.has(normalise(part)) && !/^\s*[A-Z]{2}\s*$/.test(part);
}

function splitAtCodes(part: string): string[] {
  const front = CODE_IN_FRONT.exec(part.trim());
  if (front?.[1]) return [front[1], ...splitAtCodes(part.trim().slice(front[0].length))];
  return part.split(CODE_BEHIND);
}

/** Matches a number with a word for a street or part of a building: `123 Main St`, `Level 5`. */
function isStreet(part: string): boolean {
  const name = normalise(part);
  if (STREET_FIRST.test(name)) return !POSTAL_CODE.test(part);
  if (!/\d/.test(name) || !STREET.test(name)) return false;
  const isNumberFirst = /^\d+\p{L}{0,2} \p{L}/u.test(name);
  const isCounted = STREET.test(name.replace(/ \d{1,3}\p{L}?$/u, '').replace(/^.* /, ''));
  return isNumberFirst || isCounted || !POSTAL_CODE.test(part);
}

export function shorterNames(full: string): string[] {
  if (full === '') return [];
  const shorter = full.replace(BEFORE, '');
  const next = shorter === full ? full.replace(AFTER, '') : shorter;
  return next === full ? [full] : [full, ...shorterNames(next)];
}

function namePart(part: string): NamePart {
  const codes: string[] = [];
  const patterns = /\d/.test(part) ? [...POSTAL_CODES, DISTRICT_LETTER] : [DISTRICT_LETTER];
  const withoutCodes = patterns.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (code) => {
        codes.push(code.trim().toUpperCase());
        return ' ';
      }),
    part,
  );
  const names = /\p{L}/u.test(withoutCodes) ? [part, withoutCodes].map(normalise) : [];
  names.push(...shorterNames(names.at(-1) ?? ''));
  return {
    text: withoutCodes.replace(/\s+/g, ' ').trim() || part,
    codes,
    names: [...new Set(names)].filter((name, index) => index === 0 || !NOISE.has(name)),
    isCode: /^[A-Z]{2,3}$/.test(withoutCodes.replaceAll('.', '').trim()),
    isArea: AREA.test(names[0] ?? '') || AREA_BEFORE.test(names[0] ?? ''),
  };
}
