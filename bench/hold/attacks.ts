import { resolvedListing } from '../listings.ts';

/** A request that may block the server for other clients. */
export interface Attack {
  readonly method: string;
  /** Path from the server's root, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface AttackClass {
  readonly name: string;
  readonly attacks: readonly Attack[];
}

const MEBIBYTE = 1024 * 1024;
/** Leaves space for the rest of a listing within the maximum body size. */
const FILL_BYTES = MEBIBYTE - 8_192;
const JSON_TYPE = { 'content-type': 'application/json' };

const LISTING = resolvedListing(0);

/** Repeats a text until it fills a body. Replaces `#` with the number of the copy. */
function filled(text: string, bytes = FILL_BYTES): string {
  const parts: string[] = [];
  for (let length = 0; ; ) {
    const part = text.replaceAll('#', String(parts.length));
    length += part.length + 1;
    if (length > bytes) return parts.join(',');
    parts.push(part);
  }
}

/** Returns a complete listing in which one field has the given JSON, valid or not. */
function listingWith(field: string, json: string): string {
  const { [field as 'title']: _, ...rest } = LISTING;
  return `${JSON.stringify(rest).slice(0, -1)},"${field}":${json}}`;
}

function nested(open: string, close: string, bytes = FILL_BYTES): string {
  const levels = Math.floor(bytes / (open.length + close.length));
  return open.repeat(levels) + close.repeat(levels);
}

const repeated = (count: number, entry: (index: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => entry(index)));

const question = (options: string) =>
  `[{"prompt":"Which?","answerFormat":"MULTI_SELECT","order":1,"options":[${options}]}]`;

/** Bodies that aren't listings, most of them valid JSON of the maximum size. */
const ODD_VALUES = [
  nested('[', ']'),
  nested('{"a":', '}').replace('}', '1}'),
  `[${filled('{}')}]`,
  `"${'x'.repeat(FILL_BYTES)}"`,
  '9'.repeat(FILL_BYTES),
  `"${'\\ud800'.repeat(170_000)}"`,
  `{${filled('"title":#')}}`,
  `{${filled('"f#":#')}}`,
  `{"${'title'.repeat(200_000)}":1}`,
];

const misspelt = (index: number) => ({
  locationId: index,
  city: `Bostn${index}`,
  stateProvince: 'Masachusets',
  country: 'Untied Sttes',
});

const BODIES: readonly (readonly [name: string, bodies: readonly string[]])[] = [
  [
    'misspelled places',
    [
      listingWith('locations', repeated(50, misspelt)),
      listingWith(
        'locations',
        repeated(50, (index) => ({
          ...misspelt(index),
          city: 'a b '.repeat(500),
          country: 'c'.repeat(2_000),
        })),
      ),
      listingWith('locations', `[${filled(JSON.stringify({ ...misspelt(0), city: 'Bostn#' }))}]`),
      listingWith(
        'locations',
        repeated(1, () => ({ ...misspelt(0), city: 'a, '.repeat(300_000) })),
      ),
    ],
  ],
  [
    'duplicate options',
    [
      listingWith('questions', question(filled('"#"'))),
      listingWith('questions', question(filled('""'))),
      listingWith(
        'questions',
        `[${filled('{"prompt":"#","answerFormat":"SINGLE_SELECT","order":1,"options":["a","a"]}')}]`,
      ),
      listingWith('questions', question(filled('"a"'))),
    ],
  ],
  [
    'budgets',
    [
      listingWith('budgets', `[${filled('{"window":"DAILY","budgetCents":#}')}]`),
      listingWith('budgets', `[${filled('{"window":"DALY#","budgetCents":-#}')}]`),
    ],
  ],
  [
    'long texts',
    [
      listingWith('description', JSON.stringify('长'.repeat(100_000))),
      listingWith('description', JSON.stringify('👩‍👩‍👧‍👦'.repeat(9_000))),
      listingWith('title', JSON.stringify('e\u0301'.repeat(300_000))),
      listingWith('atsJobUrl', JSON.stringify(`https://a.example/${'%41'.repeat(600)}`)),
      listingWith('atsJobUrl', JSON.stringify(`a${':'.repeat(900_000)}`)),
      listingWith('remoteCountry', JSON.stringify('a '.repeat(500_000))),
    ],
  ],
  [
    'empty entries',
    ['locations', 'qualifications', 'questions', 'budgets'].map((field) =>
      listingWith(field, `[${filled('{}')}]`),
    ),
  ],
  [
    'unknown fields',
    [
      listingWith('salary', `{${filled('"f#":1')}}`),
      `{${filled('"titel#":1')}}`,
      listingWith(
        'questions',
        repeated(50, () => Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`promt${at}`, 1]))),
      ),
      `{"${'titel'.repeat(200_000)}":1}`,
    ],
  ],
  ["bodies that aren't listings", ODD_VALUES],
  [
    'whitespace and broken JSON',
    [
      ' '.repeat(MEBIBYTE),
      `${'\n'.repeat(MEBIBYTE - 2)}{`,
      `{"title":"${'\\n'.repeat(500_000)}`,
      `[${filled('"a"')}`,
    ],
  ],
];

/** Requests with an API key. */
export function keyedAttacks(jobId: number): AttackClass[] {
  const posted = BODIES.map(([name, bodies]) => ({
    name,
    attacks: bodies.flatMap((body) => [
      { method: 'POST', path: '/v1/jobs', headers: JSON_TYPE, body },
      { method: 'PATCH', path: `/v1/jobs/${jobId}`, headers: JSON_TYPE, body },
    ]),
  }));
  const searches = [
    'a,'.repeat(7_000),
    'bostn '.repeat(2_400),
    'a '.repeat(99),
    'sprngfeld, masachusets',
    'x'.repeat(15_000),
    'san '.repeat(10),
    '%E6%9D%B1'.repeat(60),
    "a-b'c.d ".repeat(20),
  ];
  const queries = [
    ...searches.map((text) => `locations/search?q=${text}&limit=50`),
    `locations/search?q=boston&country=${'a'.repeat(15_000)}`,
    `jobs?cursor=${'A'.repeat(15_000)}`,
    `jobs?${'status=ACTIVE&'.repeat(1_000)}`,
    `jobs?opportunityId=${'%'.repeat(15_000)}`,
    `jobs?${Array.from({ length: 2_000 }, (_, at) => `a${at}`).join('&')}`,
    `jobs/${'9'.repeat(15_000)}`,
    'jobs?limit=100',
  ];
  return [...posted, { name: 'queries', attacks: queries.map((query) => get(`/v1/${query}`)) }];
}

/** Requests without a valid API key: the candidate API, and requests that the server refuses. */
export function anonymousAttacks(jobId: number): AttackClass[] {
  const jobs = '/candidate/v1/jobs';
  const queries = [
    `location=${'a,'.repeat(7_000)}`,
    `q=${'word '.repeat(1_500).replaceAll(' ', '+')}`,
    `cursor=${'A'.repeat(15_000)}`,
    'limit=100',
    Array.from({ length: 2_000 }, (_, at) => `a${at}`).join('&'),
  ];
  const application = {
    firstName: 'A',
    lastName: 'B',
    email: 'a@example.com',
    phone: '+1 617 555 0100',
    location: 'Boston',
    resume: 'fil_x',
  };
  const applied = (changes: object) => JSON.stringify({ ...application, ...changes });
  const applications = [
    applied({ answers: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`q${at}`, 'a'])) }),
    applied({ answers: 'a'.repeat(900_000), meets: Array.from({ length: 100_000 }, (_, at) => `${at}`) }),
    applied({ email: `${'a.'.repeat(400_000)}@example.com` }),
    applied({ email: `a@${'xn--'.repeat(2_000)}.example` }),
    applied({ email: `a@${'a.'.repeat(400_000)}example` }),
    applied({ phone: '1 '.repeat(450_000) }),
    applied({ firstName: '\u200d'.repeat(300_000) }),
    ...ODD_VALUES,
  ];
  const zipEntries = Buffer.concat(
    Array.from({ length: 50_000 }, () =>
      Buffer.from(
        '504b01021400140000000000000000000000000000000000000000000000000000000000000000000000000000000000',
        'hex',
      ),
    ),
  );
  const uploads = [
    Buffer.alloc(6 * MEBIBYTE),
    Buffer.concat([Buffer.from('PK\x03\x04'), zipEntries]),
    Buffer.concat([
      Buffer.from('PK\x03\x04'),
      zipEntries,
      Buffer.from('504b0506000000005ac35ac3a02526000400000000000000', 'hex'),
    ]),
    Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5 * MEBIBYTE - 9, 'obj ')]),
    Buffer.alloc(5 * MEBIBYTE, 'PK\x05\x06'),
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5 * MEBIBYTE - 8, 'W')]),
  ];
  return [
    { name: 'candidate API lists', attacks: queries.map((query) => get(`${jobs}?${query}`)) },
    {
      name: 'applications',
      attacks: applications.map((body) => ({
        method: 'POST',
        path: `${jobs}/${jobId}/applications`,
        headers: JSON_TYPE,
        body,
      })),
    },
    {
      name: 'uploads',
      attacks: uploads.map((body, at) => ({
        method: 'POST',
        path: `/candidate/v1/files?name=${'n'.repeat(at * 2_000)}`,
        body,
      })),
    },
    {
      name: 'refused',
      attacks: [
        {
          method: 'POST',
          path: '/v1/jobs',
          headers: { authorization: `Bearer ${'k'.repeat(14_000)}` },
          body: nested('[', ']'),
        },
        get(`/dashboard?${'a=b&'.repeat(3_500)}`),
        { ...get('/dashboard'), headers: { cookie: 'a=b; '.repeat(2_500) } },
        get(`/${'a/'.repeat(7_000)}`),
        get(`/.well-known/partner-engine?challenge=${'c'.repeat(15_000)}`),
      ],
    },
  ];
}

function get(path: string): Attack {
  return { method: 'GET', path: path.replaceAll(' ', '%20') };
}
