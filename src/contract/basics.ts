import patterns from './basics.json' with { type: 'json' };

const PARTS: Readonly<Record<string, string>> = patterns.parts;

/** Replaces `{AREA}` with the part of that name, which can contain other parts. */
function fillParts(pattern: string): string {
  return pattern.replace(/\{([A-Z_]+)\}/g, (_, part: string) => fillParts(PARTS[part] ?? ''));
}

function compilePattern(pattern: string): RegExp {
  return new RegExp(fillParts(pattern));
}

/** Refuses only prompts that ask for a basic as a whole, so patterns are anchored at both ends (decision 11). */
const BASICS = Object.entries(patterns.basics).flatMap(([basic, asked]) =>
  asked.map((pattern) => ({ basic, asked: compilePattern(pattern) })),
);

/** Words next to a city or an address ("City, State, ZIP") that don't ask for a basic on their own. */
const BESIDE_A_BASIC = compilePattern(patterns.besideABasic);

/** Phrases around a prompt's subject: "What is your … ?", "Could you enter your … below?" */
const SURROUNDINGS = patterns.surroundings.map(compilePattern);

/** Remarks that don't change the meaning: "Name (required)", but not "Name (of your employer)". */
const EMPTY_ASIDE = compilePattern(patterns.emptyAside);
/** Remarks that specify the kind: "E-mail (work)" is a basic, but "Location (work)" isn't. */
const QUALIFYING_ASIDE = compilePattern(patterns.qualifyingAside);

/** A prompt that matches none of these can't ask for a basic, so most prompts need only this check. */
const MAY_ASK = compilePattern(patterns.mayAsk);

const LONGEST_CHARACTERS = 200;

/** Returns the basic that a prompt asks for. Undefined for "Describe your email marketing experience". */
export function applicantBasic(prompt: string): string | undefined {
  const trimmed = prompt.trim();
  if (trimmed.length > LONGEST_CHARACTERS) return undefined;
  const folded = trimmed
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .toLowerCase();
  if (!MAY_ASK.test(folded)) return undefined;
  let which = '';
  const withoutAsides = folded.replace(/[([]([^()[\]]*)[)\]]/g, (aside, inside: string) => {
    const text = plainWords(inside);
    const isQualifier = QUALIFYING_ASIDE.test(text);
    if (isQualifier) which += `${text.replace(/ (?:and|or)(?= )/g, '')} `;
    return isQualifier || EMPTY_ASIDE.test(text) || basicsAsked(text).length > 0 ? ' ' : aside;
  });
  const basics = basicsAsked(which + withoutSurroundings(plainWords(withoutAsides)));
  return basics.length === 0 ? undefined : new Intl.ListFormat('en-GB').format(basics);
}

function basicsAsked(text: string): string[] {
  const core = withoutSurroundings(text);
  const whole = basicNamed(core);
  if (whole !== undefined) return [whole];
  const parts = core.split(/\b(?:and|or)\b/).map((part) => withoutSurroundings(part.trim()));
  const asked = parts.filter((part) => part !== '' && !BESIDE_A_BASIC.test(part)).map(basicNamed);
  return asked.includes(undefined) ? [] : [...new Set(asked as string[])];
}

function basicNamed(text: string): string | undefined {
  return BASICS.find(({ asked }) => asked.test(text))?.basic;
}

function withoutSurroundings(text: string): string {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const around of SURROUNDINGS) rest = rest.replace(around, '');
  }
  return rest;
}

/** Returns lower-case words with single spaces. Separators of lists (`,` `/` `&`) become "and". */
function plainWords(text: string): string {
  return text
    .replace(/[,;/|&+]+/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:please|kindly|thanks|thank you)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
