/**
 * Applicant basics are collected automatically on every application and never sent as questions
 * (section 1). Decision 11: a prompt is refused only where it *as a whole* asks for one of them.
 */
const BASICS: readonly (readonly [basic: string, asked: RegExp])[] = [
  ['first name', /^(?:first|given) ?names?$|^forenames?$/],
  ['last name', /^(?:last|family) ?names?$|^surnames?$/],
  [
    'name',
    /^(?:full |legal |complete |full legal )?names?$|^(?:first|given) (?:and|or) (?:last|family) names?$/,
  ],
  ['email', /^e ?mails?(?: address(?:es)?| id)?$/],
  [
    'phone',
    /^(?:(?:tele)?phone|mobile|cell|contact)(?: (?:tele)?phone)?(?: (?:numbers?|no))?$|^(?:cell|mobile)phone(?: numbers?)?$/,
  ],
  [
    'location',
    /^(?:current |home |street |postal |mailing |residential |full )*(?:locations?|address(?:es)?)$|^(?:current |home )?(?:city|town)(?: of residence)?$|^place of residence$/,
  ],
  [
    'resume',
    /^(?:resumes?|cvs?|curriculum vitae)(?: (?:or |and )?(?:resumes?|cvs?))?(?: (?:file|upload|attachment))?$/,
  ],
];

/** Words around the thing asked for: "What is your … ?", "Please enter your …". */
const OPENERS = [
  /^(?:please|kindly) /,
  /^(?:can|could|would|may) (?:you|we|i) (?:please )?(?:have |get )?/,
  /^(?:what|whats|what s|which) (?:is |are )?/,
  /^(?:is|are) /,
  /^(?:enter|provide|give|share|tell|type|write|state|specify|upload|attach|submit|add|include|send|confirm|list|fill in|fill out)(?: us| me)?(?: with)? /,
  /^(?:your|the|a|an|you|applicant s|applicants|candidate s|candidates) /,
];
const CLOSERS = [/ (?:please|here|below|required|optional)$/, / in full$/, / (?:do you have)$/];

/** Questions that ask for a basic without naming it. */
const WHOLE_QUESTIONS: readonly (readonly [basic: string, asked: RegExp])[] = [
  ['location', /^where (?:do you live|are you (?:based|located|living)|do you reside)(?: now| currently)?$/],
  ['location', /^(?:what|which) (?:city|town) (?:do you live in|are you (?:based|located|living) in)$/],
  ['name', /^(?:what (?:are|should we call) you(?: called)?|what do we call you|who are you)$/],
];

/**
 * The applicant basic that a screening question's prompt asks for, or undefined where it asks for none.
 * "What is your email address?" is `email`; "Describe your email marketing experience" is none.
 */
export function applicantBasic(prompt: string): string | undefined {
  let rest = prompt
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’']s\b/g, ' s')
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  for (const [basic, asked] of WHOLE_QUESTIONS) if (asked.test(rest)) return basic;
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const opener of OPENERS) rest = rest.replace(opener, '');
    for (const closer of CLOSERS) rest = rest.replace(closer, '');
  }
  for (const [basic, asked] of BASICS) if (asked.test(rest)) return basic;
  return undefined;
}
