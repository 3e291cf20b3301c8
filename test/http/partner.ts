import assert from 'node:assert/strict';
import type { Job, JobInput, JobUpdate } from '../../src/contract/job.ts';
import type { JobStatus } from '../../src/contract/values.ts';
import { type Answer, assertDocumented } from './documented.ts';
import { completeListing, DAY_MS } from './listing.ts';
import type { Subject } from './subject.ts';

export type { Answer } from './documented.ts';

export type Headed = Readonly<Record<string, string>>;

/** What people settled in the dashboard before the partner calls. */
export interface Settled {
  readonly terms?: boolean;
  readonly card?: boolean;
}

/** One company's way to the service: its calls, and the jobs that a test starts from. */
export class Partner {
  readonly subject: Subject;
  readonly companyId: string;
  readonly key: string;

  constructor(subject: Subject, companyId: string, key: string) {
    this.subject = subject;
    this.companyId = companyId;
    this.key = key;
  }

  /** A new company; where nothing else is said, with the terms accepted and a card on file. */
  static async of(subject: Subject, { terms = true, card = true }: Settled = {}): Promise<Partner> {
    const { companyId, key } = await subject.newCompany();
    if (terms) await subject.acceptTerms(companyId);
    if (card) await subject.addCard(companyId);
    return new Partner(subject, companyId, key);
  }

  /** The same company under another key. */
  withKey(key: string): Partner {
    return new Partner(this.subject, this.companyId, key);
  }

  call(method: string, path: string, body?: unknown, headers: Headed = {}): Promise<Answer> {
    return this.callWithText(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
  }

  /** A call whose body is sent as it stands. An empty header value leaves the header out. */
  callWithText(
    method: string,
    path: string,
    text: string | Uint8Array<ArrayBuffer> | undefined,
    headers: Headed = {},
  ): Promise<Answer> {
    const wanted: Headed = {
      authorization: `Bearer ${this.key}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = Object.entries(wanted).filter(([, value]) => value !== '');
    // Bytes, because a string body would bring a content type of its own.
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const init = { method, headers: sent, ...(bytes === undefined ? {} : { body: bytes }) };
    return this.#answer(new Request(`${this.subject.baseUrl}${path}`, init), text);
  }

  async #answer(request: Request, sent: string | Uint8Array | undefined): Promise<Answer> {
    const { method } = request;
    const path = new URL(request.url).pathname.replace(/^\/v1(?=\/)/, '');
    const response = await this.subject.send(request);
    const { status, headers } = response;
    const text = await response.text();
    if (text !== '') assert.match(headers.get('content-type') ?? '', /^application\/json\b/);
    const answer = { status, headers, body: text === '' ? undefined : JSON.parse(text) };
    assertDocumented({ method, path, text: sent?.toString() }, answer);
    return answer;
  }

  create(input: unknown, headers?: Headed): Promise<Answer> {
    return this.call('POST', '/jobs', input, headers);
  }

  update(id: number, changes: unknown): Promise<Answer> {
    return this.call('PATCH', `/jobs/${id}`, changes);
  }

  move(id: number, transition: 'publish' | 'pause' | 'resume' | 'close', headers?: Headed): Promise<Answer> {
    return this.call('POST', `/jobs/${id}/${transition}`, undefined, headers);
  }

  get(id: number): Promise<Answer> {
    return this.call('GET', `/jobs/${id}`);
  }

  list(query = ''): Promise<Answer> {
    return this.call('GET', `/jobs${query}`);
  }

  search(query: string): Promise<Answer> {
    return this.call('GET', `/locations/search${query}`);
  }

  /** The job as it now stands. */
  async job(id: number): Promise<Job> {
    return jobIn(await this.get(id), 200);
  }

  async draft(input: JobInput = {}): Promise<Job> {
    return jobIn(await this.create(input), 201);
  }

  async live(changes: JobInput = {}): Promise<Job> {
    return jobIn(await this.create(completeListing({ ...changes, publish: true })), 201);
  }

  async moved(id: number, transition: 'publish' | 'pause' | 'resume' | 'close'): Promise<Job> {
    return jobIn(await this.move(id, transition), 200);
  }

  async updated(id: number, changes: JobUpdate): Promise<Job> {
    return jobIn(await this.update(id, changes), 200);
  }

  /** A complete job in the given state. EXPIRED takes every other live job of the company along. */
  async jobThatIs(status: JobStatus): Promise<Job> {
    if (status === 'DRAFT') return this.draft(completeListing());
    const { id } = await this.live();
    if (status === 'PAUSED') await this.moved(id, 'pause');
    if (status === 'CLOSED') await this.moved(id, 'close');
    if (status === 'EXPIRED') await this.subject.passTime(this.companyId, 30 * DAY_MS);
    const job = await this.job(id);
    assert.equal(job.status, status);
    return job;
  }
}

/** The Job of an answer that must have been a success. */
export function jobIn(answer: Answer, status: number): Job {
  assert.equal(answer.status, status, `answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as Job;
}

/** The `items` of a page. */
export function itemsIn<T = Job>(answer: Answer): T[] {
  assert.equal(answer.status, 200, `answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return (answer.body as { items: T[] }).items;
}
