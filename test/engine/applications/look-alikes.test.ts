import assert from 'node:assert/strict';
import { type EngineUnderTest, engineOn } from '../engine-under-test.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { candidateOf } from './candidate.ts';

const DOMAIN = 'm\u00fcller.example';
const PUNYCODE = 'xn--mller-kva.example';

/** Other spellings of one address: each is the same person. */
const SPELLINGS = [
  `ADA@${DOMAIN}`,
  `Ada@${DOMAIN.toUpperCase()}`,
  ` ada@${DOMAIN}  `,
  `ada@${PUNYCODE}`,
  `ada@${PUNYCODE.toUpperCase()}`,
  `ada@mu\u0308ller.example`,
  `ada@${DOMAIN}.`,
  `ada@m\u00fcller\u3002example`,
  `ada@m\u00fcller\uff0eexample`,
  `ada@m\u00fcller\uff61example`,
  `\uff41\uff44\uff41@${DOMAIN}`,
  `\uff21\uff24\uff21\uff20${DOMAIN}`,
  `ada@\uff4d\u00fc\uff4c\uff4c\uff45\uff52.example`,
  `\u{1d41a}\u{1d41d}\u{1d41a}@${DOMAIN}`,
  `\u24d0\u24d3\u24d0@${DOMAIN}`,
];

/** Characters that nobody sees, inside of an address, before it and behind it. */
const UNSEEN = [
  '\u00ad',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u200e',
  '\u200f',
  '\u202e',
  '\u2066',
  '\u061c',
  '\ufe0f',
  '\u{e0100}',
  '\u{e0061}',
  '\u180e',
  '\u034f',
  '\u3164',
  '\u2800',
  '\u2028',
  '\u0000',
  '\u0007',
  '\u001b',
  '\u007f',
  '\u0085',
];

describe('one person under many spellings of an address', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  before(async () => {
    engine = await engineOn(path('look-alikes.db'));
  });
  after(() => engine.store.close());

  it('is charged for once: other spellings have applied already, unseen characters are 422 and store nothing', async () => {
    const candidate = candidateOf(engine);
    const { id } = await candidate.publish();
    assert.equal((await candidate.apply(id, { email: `ada@${DOMAIN}` })).status, 201);
    for (const email of SPELLINGS) {
      const { status, body } = await candidate.apply(id, { email });
      assert.deepEqual([status, body.error.code], [409, 'ALREADY_APPLIED'], JSON.stringify(email));
    }
    for (const unseen of UNSEEN) {
      for (const email of [
        `a${unseen}da@${DOMAIN}`,
        `ada@m\u00fcl${unseen}ler.example`,
        `${unseen}ada@${DOMAIN}`,
      ]) {
        const { status, body } = await candidate.apply(id, { email });
        assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['email']], JSON.stringify(email));
      }
    }
    const listed = await engine.store.read.applications.list({ companyId: engine.companyId, limit: 100 });
    assert.deepEqual(
      listed.map(({ basics, outcome }) => [JSON.parse(basics).email, outcome]),
      [[`ada@${PUNYCODE}`, 'charged']],
    );
    assert.deepEqual(engine.bugs, []);
  });
});
