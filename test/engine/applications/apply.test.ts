import assert from 'node:assert/strict';
import type { AnswerFormat } from '../../../src/contract/values.ts';
import { fixture } from '../../fixture.ts';
import { engineFor } from '../engine-under-test.ts';
import { COMPLETE } from '../listing.ts';
import { candidateOf } from './candidate.ts';
import { PDF, REFUSED, TAKEN } from './documents.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MIB = 1024 * 1024;

const question = (prompt: string, answerFormat: AnswerFormat, options?: string[]) => ({
  prompt,
  answerFormat,
  order: 1,
  ...(options && { options }),
});

describe('applying as a candidate', () => {
  const engine = engineFor('each test');
  const candidate = fixture('each test', () => candidateOf(engine));

  it('answers 201 with the application and nothing about money, and the partner sees it counted', async () => {
    const { id: jobId } = await candidate.publish();
    const { status, body } = await candidate.apply(jobId);
    assert.equal(status, 201);
    const receivedAt = new Date(engine.now).toISOString();
    assert.deepEqual(body, { id: body.id, jobId, status: 'pending', receivedAt });
    const { body: job } = await engine.call('GET', `/jobs/${jobId}`);
    assert.deepEqual(job.applicationCounts, { pending: 1, accepted: 0, rejected: 0 });
    assert.deepEqual([job.isFrozen, job.newApplicantCount], [true, 1]);
    const { status: frozen } = await engine.call('PATCH', `/jobs/${jobId}`, { questions: [] });
    assert.equal(frozen, 200, 'questions that stay empty are no change');
    const { body: refusal } = await engine.call('PATCH', `/jobs/${jobId}`, COMPLETE);
    assert.equal(refusal.error.code, 'JOB_FROZEN');
  });

  const FITTING: readonly (readonly [AnswerFormat, unknown, readonly unknown[]])[] = [
    ['TEXT', 'x'.repeat(2_000), ['', ' ', 'x'.repeat(2_001), 1, null]],
    ['TEXTAREA', 'x\n'.repeat(10_000), ['', 'x'.repeat(20_001), ['x']]],
    ['SINGLE_SELECT', 'first', ['third', 'First', ['first'], '']],
    ['MULTI_SELECT', ['second', 'first'], [[], 'first', ['first', 'first'], ['first', 'third']]],
    ['NUMBER', -1.5, ['1', null, true]],
    ['DATE', '2024-02-29', ['2026-02-29', '29.02.2024', 'tomorrow', 20_240_229]],
    ['SINGLE_CHECKBOX', false, ['false', 0, null]],
    ['FILE', undefined, ['fil_none', '', 1, '../../etc/passwd']],
  ];
  for (const [format, fitting, others] of FITTING)
    it(`answers 201 to what ${format} asks for, and 422 with the question to all else`, async () => {
      const options = format.endsWith('_SELECT') ? ['first', 'second'] : undefined;
      const { id, questions } = await candidate.publish({
        questions: [question('Really?', format, options)],
      });
      const key = questions[0].id;
      for (const wrong of [...others, undefined]) {
        const { status, body } = await candidate.apply(id, { answers: { [key]: wrong } });
        assert.equal(status, 422, JSON.stringify(wrong));
        assert.deepEqual(Object.keys(body.error.fields), [`answers.${key}`]);
        if (wrong !== 'fil_none' && wrong !== '../../etc/passwd')
          assert.match(body.error.fields[`answers.${key}`], /\("Really\?"\)$/);
      }
      const answer = format === 'FILE' ? (await candidate.upload(PDF)).body.fileId : fitting;
      assert.equal((await candidate.apply(id, { answers: { [key]: answer } })).status, 201);
    });

  it('answers 422 with what does not fit the job beside what is wrong with the basics', async () => {
    const { id, questions } = await candidate.publish({ questions: [question('Why?', 'TEXT')] });
    const { body } = await candidate.apply(id, { email: 'x', answers: { other: 1 }, meets: ['q9'] });
    assert.deepEqual(body.error.fields, {
      email: 'must be an email address',
      [`answers.${questions[0].id}`]: 'is required ("Why?")',
      'answers.other': "isn't the ID of a question of this job",
      'meets[0]': "isn't the ID of a qualification of this job",
    });
    const { body: shapeless } = await candidate.apply(id, { answers: [] as never, meets: 'all' as never });
    assert.deepEqual(Object.keys(shapeless.error.fields), ['answers', 'meets']);
  });

  it('answers 422 to a body that is no JSON object, 415 to another type, 413 to more than 1 MiB', async () => {
    const { id } = await candidate.publish();
    assert.match((await candidate.post(id, '{"firstName": Ada}')).body.error.message, /line 1, column 15/);
    assert.equal((await candidate.post(id, '[]')).status, 422);
    assert.equal((await candidate.post(id, '')).status, 422);
    assert.equal((await candidate.post(id, JSON.stringify('x'.repeat(MIB)))).status, 413);
    const sent = { body: '{}', headers: { 'content-type': 'text/plain' } };
    assert.equal((await candidate.send('POST', `/jobs/${id}/applications`, sent)).status, 415);
  });

  it('answers 404 for a draft and for no job, before it looks at the body', async () => {
    const { body: draft } = await engine.call('POST', '/jobs', COMPLETE);
    for (const id of [draft.id, 99_999, 'abc']) {
      const { status, body } = await candidate.post(id, 'no JSON');
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], String(id));
    }
  });

  it('answers 409 INVALID_TRANSITION for what is PAUSED, CLOSED or EXPIRED', async () => {
    const ids = [
      (await candidate.publish()).id,
      (await candidate.publish()).id,
      (await candidate.publish()).id,
    ];
    await engine.call('POST', `/jobs/${ids[0]}/pause`);
    await engine.call('POST', `/jobs/${ids[1]}/close`);
    const states: string[] = [];
    for (const id of ids) {
      if (id === ids[2]) engine.now += 30 * DAY_MS;
      const { status, body } = await candidate.apply(id);
      assert.deepEqual([status, body.error.code], [409, 'INVALID_TRANSITION']);
      states.push(body.error.message.split(' ').at(-1));
    }
    assert.deepEqual(states, ['PAUSED', 'CLOSED', 'EXPIRED']);
  });

  it('answers 409 ALREADY_APPLIED to the same address again, however often at once', async () => {
    const { id } = await candidate.publish();
    const { id: other } = await candidate.publish();
    const email = 'grace@m\u00fcller.example';
    const again = [email, ' GRACE@M\u00dcLLER.example ', '\uff27race@xn--mller-kva.example.'];
    const answers = await Promise.all(again.map((written) => candidate.apply(id, { email: written })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    assert.equal(answers.find(({ status }) => status === 409)?.body.error.code, 'ALREADY_APPLIED');
    assert.equal((await candidate.apply(other, { email })).status, 201);
    for (const unseen of ['\u200b', '\u202e', '\ufe0f', '\u0000', '\u0085']) {
      const { status, body } = await candidate.apply(id, { email: `gr${unseen}ace@m\u00fcller.example` });
      assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['email']], JSON.stringify(unseen));
    }
    const { body: job } = await engine.call('GET', `/jobs/${id}`);
    assert.equal(job.applicationCounts.pending, 1);
  });

  it('takes pictures as answers, and none for a resume', async () => {
    const { id, questions } = await candidate.publish({ questions: [question('A weld of yours?', 'FILE')] });
    const [, , png = PDF] = TAKEN.find(([type]) => type === 'image/png') ?? [];
    const { fileId } = (await candidate.upload(png, '?name=weld.png')).body;
    const answers = { [questions[0].id]: fileId };
    const expected = { resume: 'must be a document, not a picture (image/png)' };
    assert.deepEqual((await candidate.apply(id, { answers, resume: fileId })).body.error.fields, expected);
    assert.equal((await candidate.apply(id, { answers })).status, 201);
  });

  it('answers 415 to a page, a picture of SVG and whatever else is not taken', async () => {
    for (const [what, content, name = 'cv.pdf'] of REFUSED) {
      const { status, body } = await candidate.upload(content, `?name=${name}`, {
        'content-type': 'application/pdf',
      });
      assert.deepEqual([status, body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'], what);
    }
    const form = new FormData();
    form.set('cv', new Blob(['Ada']), 'cv.txt');
    const { status, body } = await candidate.send('POST', '/files?name=cv.txt', { body: form });
    const expected = [415, 'the body must be the bytes of the file, not a form'];
    assert.deepEqual([status, body.error.message], expected);
    assert.equal((await candidate.upload(PDF, '', { 'content-encoding': 'gzip' })).status, 415);
  });

  it('answers 413 to a file of more than 5 MiB without reading on, and 422 to an empty one', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += MIB;
        controller.enqueue(Buffer.alloc(MIB, 0x20));
      },
    });
    const init = { body: endless, duplex: 'half' } as RequestInit;
    const { status, body } = await candidate.send('POST', '/files', init);
    assert.deepEqual([status, body.error.message], [413, 'the file is larger than 5 MiB']);
    assert.ok(sent <= 8 * MIB);
    assert.equal((await candidate.upload(Buffer.alloc(0))).status, 422);
    assert.equal((await candidate.send('POST', '/files')).status, 422);
  });
});
