import fc from 'fast-check';

/** Texts in a row, parted by bars. */
const row = (texts: string): string[] => texts.split('|');

const ODD_TEXTS = row(
  '| |\t\n|\u00a0|\u200b|\ufeff|\u2028|\0|a\0b|\ud83d|\ude00x|😀|e\u0301|\u202eabc|\u001b[31m|<b>a</b>|&amp;|__proto__|null|0|ﬁ|İ|ß|\uffff',
);
const FIELD_NAMES = row(
  'titel|Title|id|status|publish |companyId|salary|note|text|order|__proto__|constructor|toString|hasOwnProperty|length||0|a.b|$schema|\0',
);
/** By RFC 3986 the first dozen are URIs. */
export const URIS = [
  ...row(
    'https://ats.example/jobs/1|http://[::1]:80/|urn:job:1|mailto:jobs@ats.example|x-ats:|X-ATS:4711|data:,',
  ),
  ...row('https://ats.example/%C3%A9?a=b#c|javascript:alert(1)|file:///jobs|tag:a,2026:b|x:a:b'),
  ...row(
    'a b|https://ats.example/a b| urn:a|urn:a |urn:%4|https://|https:x|//ats.example|/jobs|ats.example|1:a',
  ),
  ...row('https://ats.example/é|https://[::1|https://a:b|https://a/#b#c|urn:a\n'),
];
export const PROMPTS = [
  ...row(
    'Email|What is your email address?|E-mail (work)|Preferred first name|Please upload your resume in PDF|CV',
  ),
  ...row(
    'What city and state do you live in?|Ｅｍａｉｌ|em\u00adail|Phone #|Where do you live?|Résumé|State|Number',
  ),
  ...row(
    'Describe your email marketing experience|Which cities have you managed teams in?|Name three languages',
  ),
  ...row('Do you have a valid phone sales licence?|Which shift suits you?|Years of practice|Why us?'),
];

export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(...ODD_TEXTS),
);

/** As long as a limit allows, and one character more or less; of one to four bytes in UTF-8. */
export const aroundLimit = (characters: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(-1, 0, 0, 1), fc.constantFrom('x', 'é', '漢', '😀', ' '))
    .map(([more, unit]) => unit.repeat(characters + more).slice(0, characters + more));

export const number: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
  fc.constantFrom(-1, -0, 0.5, 1e21, 2 ** 53 - 1, 2 ** 53, -(2 ** 53) + 1, 2 ** 31, 1e15, 15.0000001, 1e-9),
);

export const anything: fc.Arbitrary<unknown> = fc.oneof(
  text,
  number,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 1 }, [{}], ['x'], { 0: 'x' }),
  fc.jsonValue({ maxDepth: 6 }),
);

/** Of a field: near to known ones, names that every object has, and any other. */
export const name: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...FIELD_NAMES) },
  text,
);

/** One of a closed set or, now and then, what is near to it. */
export const oneOf = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    fc
      .constantFrom(...known)
      .chain((value) =>
        fc.constantFrom(value.toLowerCase(), ` ${value}`, `${value}S`, value.replace('_', '-'), ''),
      ),
  );
