const REACH =
  '(?:(?:that|where|(?:at |on )?which) )?(?:(?:we (?:can|may|should)|can we|may we|should we)(?: use to| best)? (?:reach|contact|call|text|email|use)(?: you)?|to (?:reach|contact|call|text|email) you)(?: (?:at|on|by|with))?';
const QUALIFIER =
  '(?:best|good|valid|primary|main|personal|private|preferred|current|contact|home|work|business|day|daytime|evening|mobile|cell|legal|full)';
const WHICH_ONE = `(?:(?:a|an|the|what|which) )?(?:${QUALIFIER}(?: or)? )*`;
const WHICH_NAME = '(?:(?:what|which) )?(?:(?:full|legal|preferred|complete) )*';
const AREA = '(?:street|state|province|region|county|country|(?:zip|postal|post)(?: ?code)?|postcode)';
const PLACE = `(?:${AREA} (?:and|or) )*(?:city|town)(?: (?:and|or) (?:city|town|${AREA}))*`;
const LIVING =
  '(?:(?:do )?you (?:currently |presently )?(?:live|reside)|(?:are you|you are) (?:currently |presently )?(?:based|located|living|residing|in))(?: in)?';
const RECENT = '(?:(?:most recent|recent|latest|current|updated|up to date) )?';

/** Refuses only prompts that ask for a basic as a whole, so patterns are anchored at both ends (decision 11). */
const BASICS: readonly (readonly [basic: string, asked: RegExp])[] = [
  ['first name', new RegExp(`^${WHICH_NAME}(?:(?:first|given) ?names?(?: s)?|forenames?)$`)],
  ['last name', new RegExp(`^${WHICH_NAME}(?:(?:last|family) ?names?(?: s)?|surnames?)$`)],
  ['name', new RegExp(`^${WHICH_NAME}(?:names?|first(?: and middle)? and last(?: names?)?)$`)],
  ['email', new RegExp(`^${WHICH_ONE}e ?mails?(?: address(?:es)?| id)?$`)],
  ['email', /^how (?:can|may|should) we (?:best )?(?:reach|contact) you by e ?mail$/],
  [
    'phone',
    new RegExp(
      `^${WHICH_ONE}(?:(?:tele)?phone|tel|mobile|cell|contact(?= n))(?: ?(?:tele)?phone)?(?: (?:numbers?|no|nr)(?: ${REACH})?)?$`,
    ),
  ],
  ['phone', new RegExp(`^${WHICH_ONE}number ${REACH}$`)],
  ['phone', /^how (?:can|may|should) we (?:best )?(?:reach|contact|call) you by (?:tele)?phone$/],
  ['email and phone', new RegExp(`^${WHICH_ONE}contact (?:details|info|information)$`)],
  [
    'location',
    /^(?:(?:current|full|complete|home|permanent|present|residential|street|mailing|postal) )*(?:location|address(?: line)?)(?: \d)?$/,
  ],
  ['location', new RegExp(`^(?:current )?(?:${PLACE}(?: of residence)?|place of residence)$`)],
  [
    'location',
    new RegExp(
      `^(?:where(?: in the world| exactly)?|(?:in )?(?:(?:what|which|the) )?(?:current )?${PLACE}(?: that| where| in which)?) ${LIVING}$`,
    ),
  ],
  [
    'resume',
    new RegExp(
      `^(?:(?:an?|the) )?${RECENT}(?:(?:copy|version|pdf) of |(?:link|url) to )?(?:(?:your|an?|the) )?${RECENT}(?:pdf |word )?(?:resumes?|c ?vs?|curriculum vitae)(?: (?:file|upload|attachment|document|link|url))?$`,
    ),
  ],
];

/** Words next to a city or an address ("City, State, ZIP") that don't ask for a basic on their own. */
const BESIDE_A_BASIC = new RegExp(`^${AREA}$`);

const FORMAT = '(?:pdf|ms word|word|docx?|rtf)';
const DOCUMENT = '(?:id|identification|passport|licen[cs]e|card|certificate|documents?)';

/** Phrases around a prompt's subject: "What is your … ?", "Could you enter your … below?" */
const SURROUNDINGS: readonly RegExp[] = [
  /^(?:q(?:uestion)? ?)?\d+ /,
  /^(?:can|could|would|may) (?:you|we|i) (?:have |get )?/,
  /^what(?: is| are| s|s) /,
  /^(?:enter|re ?enter|provide|supply|give|share|tell|let|type|retype|write|state|specify|upload|attach|submit|add|drop|paste|include|insert|send|confirm|verify|list|indicate|fill in|fill out)(?: us| me)?(?: with| know)? /,
  /^e ?mail us (?=.*(?:resume|c ?v))/,
  /^(?:your|my|(?:the )?(?:applicant|candidate)(?: s|s)?) /,
  / of (?:the )?(?:applicant|candidate)$/,
  / (?:here|below|in full|in english|with us|currently|presently|(?:right )?now|at (?:the moment|present)|required|optional|mandatory|if (?:different|any|applicable|available))$/,
  new RegExp(
    `(?: (?:as|in)(?: an?)?)? ${FORMAT}(?: (?:and|or) ${FORMAT})*(?: (?:format|file|document|version))?$`,
  ),
  /(?: and)? (?:including|with) (?:the |your )?(?:(?:area|country|dialling) code|extension)$/,
  new RegExp(
    ` (?:exactly )?as (?:(?:it|they) )?(?:(?:appears?|is|are|shown|stated|written|printed|listed) ){0,2}(?:on|in) (?:your|an?|the|any) (?:[a-z]+ ){0,3}${DOCUMENT}$`,
  ),
  / (?:for (?:correspondence|contact)|so (?:that )?we (?:can|may) (?:reach|contact|call|text|email) you)$/,
  / (?:do )?you go by$/,
  new RegExp(`(?<!number) ${REACH}$`),
];

/** Remarks that don't change the meaning: "Name (required)", but not "Name (of your employer)". */
const EMPTY_ASIDE =
  /^(?:s|required|optional|mandatory|.*\bpdf\b.*|(?:as|with|including|incl|e g|max|maximum|up to) .*|if (?:different|any|applicable|available))?$/;
/** Remarks that specify the kind: "E-mail (work)" asks for an email address, "Location (work)" isn't a basic. */
const QUALIFYING_ASIDE = new RegExp(`^(?:${QUALIFIER}(?: (?:and|or))? ?)+$`);

/** A prompt that matches none of these can't ask for a basic, so most prompts need only this check. */
const MAY_ASK =
  /name|first|mail|phone|tel|mobile|cell|contact|number|location|address|city|town|residence|live|living|reside|based|located|resume|curriculum|(?<![a-z0-9])cv|(?<![a-z0-9])c(?![a-z0-9])/;

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

/** Returns lower-case words with single spaces. Separators of lists (`,` `/` `&`) become "and". */
function plainWords(text: string): string {
  return text
    .replace(/[,;/|&+]+/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:please|kindly|thanks|thank you)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
