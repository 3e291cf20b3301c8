/**
 * Applicant basics are collected automatically on every application and never sent as questions
 * (section 1). Decision 11: a prompt is refused only where it *as a whole* asks for one of them, so every
 * pattern is anchored at both ends, and a word that none of them knows lets the prompt pass.
 */
type Pattern = readonly [basic: string, asked: RegExp];

const REACH =
  '(?:(?:that|where|(?:at |on )?which) )?(?:we (?:can|may|should)|can we|should we|to)(?: use to| best)? (?:reach|contact|call|text|email) you(?: (?:at|on|by|with))?';
const WHICH_ONE =
  '(?:(?:a|an|the|what|which) )?(?:(?:best|good|valid|primary|main|personal|private|current|contact|home|work|daytime|evening) )*';
const LIVING =
  '(?:(?:do )?you (?:currently )?(?:live|reside)|(?:are you|you are) (?:currently )?(?:based|located|living))(?: in)?';

const BASICS: readonly Pattern[] = [
  ['first name', /^(?:(?:full|legal) )?(?:(?:first|given) ?names?(?: s)?|forenames?)$/],
  ['last name', /^(?:(?:full|legal) )?(?:(?:last|family) ?names?(?: s)?|surnames?)$/],
  ['name', /^(?:(?:full|legal|complete) )*(?:names?|first(?: and middle)? and last(?: names?)?)$/],
  ['email', new RegExp(`^${WHICH_ONE}e ?mails?(?: address(?:es)?| id)?$`)],
  [
    'phone',
    new RegExp(
      `^${WHICH_ONE}(?:(?:tele)?phone|tel|mobile|cell|contact(?= n))(?: ?(?:tele)?phone)?(?: (?:numbers?|no|nr)(?: ${REACH})?)?$`,
    ),
  ],
  ['phone', new RegExp(`^${WHICH_ONE}number ${REACH}$`)],
  [
    'location',
    /^(?:(?:current|full|complete|home|permanent|residential|street|mailing|postal) )*(?:location|address)$/,
  ],
  ['location', /^(?:current )?(?:city|town)(?: of residence)?$|^place of residence$/],
  ['location', new RegExp(`^(?:where|(?:in )?(?:what|which) (?:city|town)) ${LIVING}$`)],
  [
    'resume',
    /^(?:an? )?(?:(?:copy of|link to) )?(?:(?:your|an?|the) )?(?:(?:most recent|latest|current|updated|up to date) )?(?:resumes?|c ?vs?|curriculum vitae)(?: (?:file|upload|attachment))?$/,
  ],
];

/** Words that go with a city or an address ("City, State, ZIP") and ask for no basic alone. */
const BESIDE_A_BASIC =
  /^(?:street|state|province|region|county|country|(?:zip|postal|post)(?: ?code)?|postcode)$/;

/** What stands around the thing asked for: "What is your … ?", "Could you enter your … below?" */
const SURROUNDINGS: readonly RegExp[] = [
  /^(?:q(?:uestion)? ?)?\d+ /,
  /^(?:can|could|would|may) (?:you|we|i) (?:have |get )?/,
  /^what(?: is| are| s|s) /,
  /^(?:enter|provide|give|share|tell|type|write|state|specify|upload|attach|submit|add|include|send|confirm|list|indicate|fill in|fill out)(?: us| me)?(?: with)? /,
  /^(?:your|my|(?:the )?(?:applicant|candidate)(?: s|s)?) /,
  / of (?:the )?(?:applicant|candidate)$/,
  / (?:here|below|in full|with us|currently|now|required|optional|mandatory|(?:as a )?pdf|in pdf format)$/,
  /(?: and)? (?:including|with) (?:the |your )?(?:area|country) code$/,
  new RegExp(`(?<!number) ${REACH}$`),
];

/** Asides that change nothing: "Name (required)", "Phone (with area code)"; not "Name (of your employer)". */
const EMPTY_ASIDE = /^(?:s|required|optional|mandatory|.*\bpdf\b.*|(?:as|with|including|incl|e g) .*)?$/;

/** Without one of these no pattern of a basic fits: most prompts are through with that. */
const MAY_ASK =
  /name|first|mail|phone|tel|mobile|cell|contact|number|location|address|city|town|residence|live|living|reside|based|located|resume|curriculum|(?<![a-z0-9])cv|(?<![a-z0-9])c(?![a-z0-9])/;

/** No prompt that asks for basics alone is longer. It keeps the check quick whatever is sent. */
const LONGEST_CHARACTERS = 200;

/**
 * The applicant basic that a screening question's prompt asks for, or undefined where it asks for none.
 * "What is your email address?" is `email`, "Name and phone" is `name and phone`; "Describe your email
 * marketing experience" is none.
 */
export function applicantBasic(prompt: string): string | undefined {
  const trimmed = prompt.trim();
  if (trimmed.length > LONGEST_CHARACTERS) return undefined;
  const folded = trimmed
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .toLowerCase();
  if (!MAY_ASK.test(folded)) return undefined;
  const withoutAsides = folded.replace(/[([]([^()[\]]*)[)\]]/g, (aside, inside: string) => {
    const text = plainWords(inside);
    return EMPTY_ASIDE.test(text) || basicsAsked(text).length > 0 ? ' ' : aside;
  });
  const basics = basicsAsked(plainWords(withoutAsides));
  return basics.length === 0 ? undefined : new Intl.ListFormat('en-GB').format(basics);
}

/** Every basic that `text` asks for; empty where it asks for anything besides. */
function basicsAsked(text: string): string[] {
  const core = withoutSurroundings(text);
  const whole = basicNamed(core);
  if (whole !== undefined) return [whole];
  const parts = core.split(/\b(?:and|or)\b/).map((part) => withoutSurroundings(part.trim()));
  const asked = parts.filter((part) => part !== '' && !BESIDE_A_BASIC.test(part)).map(basicNamed);
  return asked.includes(undefined) ? [] : [...new Set(asked as string[])];
}

function basicNamed(text: string): string | undefined {
  return BASICS.find(([, asked]) => asked.test(text))?.[0];
}

function withoutSurroundings(text: string): string {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const around of SURROUNDINGS) rest = rest.replace(around, '');
  }
  return rest;
}

/** Lower-case words with single spaces; what lists things (`,` `/` `&`) becomes the word "and". */
function plainWords(text: string): string {
  return text
    .replace(/[,;/|&+]+/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:please|kindly|thanks|thank you)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
