import assert from 'node:assert/strict';
import { realServers } from '../client/real-server.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';
import { withEngine } from './homes.ts';
import { answering, callsTo } from './servers.ts';

/** The specification allows these values, but the bundled engine rejects them (decision 31). */
const OWN_RULES = {
  ...COMPLETE_LISTING,
  salaryMin: -1,
  qualifications: [...COMPLETE_LISTING.qualifications, { text: ' ', kind: 'DESIRED', order: 3 }],
  questions: [
    { prompt: '', answerFormat: 'SINGLE_SELECT', options: ['\t'], order: 1 },
    { prompt: 'Which shift?', answerFormat: 'MULTI_SELECT', order: 2 },
  ],
};
const FIELDS =
  'salaryMin qualifications[2].text questions[0].prompt questions[0].options[0] questions[1].options'.split(
    ' ',
  );

describe('an amount below zero or a blank text', () => {
  const servers = realServers('all tests');
  let file: string;
  let sent: unknown[];
  let server: { readonly env: Record<string, string> };
  const home = fixture('all tests', withEngine);
  before(async () => {
    file = await home.file('own-rules.json', OWN_RULES);
    const listening = await servers.listen((arrived, ...io) => {
      const { method, body, url = '' } = arrived;
      const isList = method === 'GET' && !/jobs\/\d+$/.test(url);
      if (method !== 'GET') sent.push(JSON.parse(body));
      const job = { ...COMPLETE_LISTING, status: 'DRAFT', id: 1, ...(body === '' ? {} : JSON.parse(body)) };
      answering(method === 'POST' ? 201 : 200, isList ? { items: [], nextCursor: null } : job)(
        arrived,
        ...io,
      );
    });
    server = { env: callsTo(listening) };
  });
  beforeEach(() => {
    sent = [];
  });

  for (const argv of [['create'], ['update', '1']])
    it(`is sent to a remote server by ${argv[0]}, with a warning for each`, async () => {
      const { code, stderr } = await home.run(['jobs', ...argv, file], server);
      assert.equal(code, 0, stderr);
      const warned = Array.from(
        stderr.matchAll(/^warning: (\S+): .* \(this server may reject it\)/gm),
        ([, field]) => field,
      );
      assert.deepEqual(warned.sort(), [...FIELDS].sort());
      assert.deepEqual(sent, [OWN_RULES]);
    });

  it('is refused by validate, and by create on the bundled engine, with nothing sent', async () => {
    for (const command of ['validate', 'create']) {
      const { code, stdout, stderr } = await home.run(['jobs', command, file]);
      assert.equal(code, 3);
      for (const field of FIELDS) assert.ok(`${stdout}${stderr}`.includes(field), field);
    }
    assert.equal(home.storedJobs(), 0);
  });
});
