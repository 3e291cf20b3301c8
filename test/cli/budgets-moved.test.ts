import assert from 'node:assert/strict';
import { realServers } from '../client/real-server.ts';
import { newHome } from './partner.ts';
import { answering, callsTo } from './servers.ts';

const servers = realServers('each test');

it('a frozen job is sent no entries that it has already, whatever the order of their keys', async () => {
  const qualifications = [{ id: 'q', text: 'License', kind: 'REQUIRED', order: 1 }];
  const questions = [{ id: 'a', prompt: 'Why?', answerFormat: 'TEXT', options: null, order: 1 }];
  const job = { id: 1, title: 'Nurse', status: 'DRAFT', isFrozen: true, qualifications, questions };
  const server = await servers.listen(answering(200, job));
  const home = await newHome();
  await home.file('job.json', {
    title: 'Welder',
    qualifications: [{ order: 1, kind: 'REQUIRED', text: 'License' }],
    questions: [{ order: 1, answerFormat: 'TEXT', prompt: 'Why?' }],
  });
  await home.must('jobs update 1 job.json', { env: callsTo(server) });
  const sent = server.requests.filter(({ method }) => method === 'PATCH');
  const bodies = sent.map(({ body }) => JSON.parse(body));
  assert.deepEqual(bodies, [{ title: 'Welder' }]);
});
