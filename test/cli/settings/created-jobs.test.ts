import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCreatedJobs } from '../../../src/cli/settings/server-memory.ts';
import { childScript } from '../../child-script.ts';
import { tempDirectory } from '../../temp-directory.ts';

const AT = Date.parse('2025-11-21T07:09:00.000Z');
const ACME = { baseUrl: 'https://api.acme.example/v1', profile: 'acme' };

describe('the ledger', () => {
  const temp = tempDirectory();
  const path = () => join(temp(), 'partner', 'ledger.ndjson');

  it('gives the ids of one server, newest first and each once', () => {
    const createdJobs = openCreatedJobs(path(), ACME);
    assert.deepEqual(createdJobs.ids(), []);
    const other = openCreatedJobs(path(), { baseUrl: 'https://b.example/v1' });
    for (const id of [1, 2, 3, 1]) assert.equal(createdJobs.append(id, AT), undefined);
    other.append(9, AT);
    assert.deepEqual(createdJobs.ids(), [1, 3, 2]);
    assert.deepEqual(other.ids(), [9]);
  });

  it('has one line a job, with its server, profile and time, for its owner alone', () => {
    openCreatedJobs(path(), ACME).append(12, AT);
    assert.equal(
      readFileSync(path(), 'utf8'),
      '{"baseUrl":"https://api.acme.example/v1","profile":"acme","jobId":12,"at":"2025-11-21T07:09:00.000Z"}\n',
    );
    assert.equal((statSync(path()).mode & 0o777).toString(8), '600');
    assert.equal((statSync(join(temp(), 'partner')).mode & 0o777).toString(8), '700');
  });

  it('passes over lines that are damaged', () => {
    const createdJobs = openCreatedJobs(path(), ACME);
    createdJobs.append(1, AT);
    appendFileSync(path(), `\nnonsense\n[]\nnull\n5\n{"baseUrl":"${ACME.baseUrl}","jobId":"7"}\n\0\0\0\n`);
    createdJobs.append(2, AT);
    assert.deepEqual(createdJobs.ids(), [2, 1]);
  });

  it('loses nothing after a line that was cut off', () => {
    const createdJobs = openCreatedJobs(path(), ACME);
    createdJobs.append(1, AT);
    appendFileSync(path(), '{"baseUrl":"https://api.ac');
    createdJobs.append(2, AT);
    truncateSync(path(), statSync(path()).size - 1);
    createdJobs.append(3, AT);
    assert.deepEqual(createdJobs.ids(), [3, 2, 1]);
  });

  it('loses and mixes nothing when several processes write at once', async () => {
    const script = await childScript(`import { once } from 'node:events';
import { openCreatedJobs } from './src/cli/settings/server-memory.ts';
const createdJobs = openCreatedJobs(${JSON.stringify(path())}, ${JSON.stringify(ACME)});
process.stdout.write('ready');
await once(process.stdin, 'data');
process.stdin.destroy();
for (let n = 1; n <= 2000; n++) createdJobs.append(Number(process.argv[2]) * 10000 + n, 0);`);
    const writers = ['0', '1', '2'].map((writer) =>
      spawn(process.execPath, [script, writer], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const closed = writers.map((writer) => once(writer, 'close'));
    await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')));
    for (const { stdin } of writers) stdin.end('go');
    await Promise.all(closed);
    assert.equal(openCreatedJobs(path(), ACME).ids().length, 6000);
    assert.equal(readFileSync(path(), 'utf8').trimEnd().split('\n').length, 6000);
  });

  it('that cannot be written makes no error of a job that exists: it says why', () => {
    writeFileSync(join(temp(), 'partner'), 'a file where the directory should be');
    const expected = /^can't record job 12 in .*: part of its path is a file/;
    assert.match(openCreatedJobs(path(), ACME).append(12, AT) ?? '', expected);
  });
});
