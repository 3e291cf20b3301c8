import assert from 'node:assert/strict';
import type * as jobs from '../../src/contract/job.ts';
import { attempt } from '../../src/contract/system-errors.ts';
import { isObject, type JobStatus } from '../../src/contract/values.ts';
import { NotTried } from './any-server.ts';
import { type Answer, assertDocumented } from './documented.ts';
import { BOSTON, completeListing, DAY_MS, fullListing, locationInput, MUNICH } from './listing.ts';
import type { Subject } from './subject.ts';

export type { Answer } from './documented.ts';

export type Headed = Readonly<Record<string, string>>;

/** Steps that only the dashboard offers. */
export interface Settled {
  readonly terms?: boolean;
  readonly card?: boolean;
}

export class Partner {
  constructor(
    readonly subject: Subject,
    readonly companyId: string,
    readonly key: string,
  ) {}

  /** By default, the terms are accepted and a card is on file. */
  static async of(subject: Subject, { terms = true, card = true }: Settled = {}): Promise<Partner> {
    const { companyId, key } = await subject.newCompany();
    if (terms) await subject.acceptTerms(companyId);
    if (card) await subject.addCard(companyId);
    return new Partner(subject, companyId, key);
  }

  withKey(key: string): Partner {
    return new Partner(this.subject, this.companyId, key);
  }

  call(method: string, path: string, body?: unknown, headers: Headed = {}): Promise<Answer> {
    return this.callWithText(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
  }

  /** Sends the body unchanged. An empty header value removes the header. */
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
    // Bytes, because fetch adds a content type to a string body.
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const init = { method, headers: sent, ...(bytes === undefined ? {} : { body: bytes }) };
    return this.answer(new Request(`${this.subject.baseUrl}${path}`, init), text);
  }

  private async answer(request: Request, sent: string | Uint8Array | undefined): Promise<Answer> {
    const { method } = request;
    const path = new URL(request.url).pathname.replace(/^\/v1(?=\/)/, '');
    const response = await this.subject.send(request);
    const { status, headers } = response;
    const text = await response.text();
    if (this.subject.remote !== undefined) {
      const body = attempt((): unknown => JSON.parse(text)) ?? (text === '' ? undefined : text);
      return { status, headers, body, isRemote: true };
    }
    if (text !== '') assert.match(headers.get('content-type') ?? '', /^application\/json\b/);
    const answer = { status, headers, body: text === '' ? undefined : JSON.parse(text) };
    assertDocumented({ method, path, text: sent?.toString() }, answer);
    return answer;
  }

  create(input: unknown, headers?: Headed): Promise<Answer> {
    const { remote } = this.subject;
    const marked = remote && isObject(input) ? { ...remote.mark, ...input } : input;
    return this.call('POST', '/jobs', marked, headers);
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

  /** Searches for a name that every server knows. */
  async placesFound(): Promise<jobs.LocationSuggestion[]> {
    const { remote } = this.subject;
    if (remote === undefined) return itemsIn(await this.search('?q=boston'));
    const [place] = remote.places;
    if (place === undefined) throw new NotTried(NO_PLACE);
    return itemsIn(await this.search(`?${remote.queryParameter}=${encodeURIComponent(place.city)}`));
  }

  /** Has no locations if the server's search found none. */
  fullListing(): jobs.JobContent {
    return fullListing(this.subject.remote?.places.map(locationInput));
  }

  /** Two places, as a request contains them. */
  places(): jobs.LocationInput[] {
    const places = this.subject.remote?.places ?? [BOSTON, MUNICH];
    if (places.length < 2) throw new NotTried(NO_PLACE);
    return places.map(locationInput);
  }

  async job(id: number): Promise<jobs.Job> {
    return jobIn(await this.get(id), 200);
  }

  async draft(input: jobs.JobInput = {}): Promise<jobs.Job> {
    return jobIn(await this.create(input), 201);
  }

  async live(changes: jobs.JobInput = {}): Promise<jobs.Job> {
    return jobIn(await this.create(completeListing({ ...changes, publish: true })), 201);
  }

  /** A live job with an application, which freezes it. */
  async frozen(changes?: jobs.JobInput): Promise<jobs.Job> {
    const { id } = await this.live(changes);
    await this.subject.apply(id);
    return this.job(id);
  }

  async moved(id: number, transition: 'publish' | 'pause' | 'resume' | 'close'): Promise<jobs.Job> {
    return jobIn(await this.move(id, transition), 200);
  }

  async updated(id: number, changes: jobs.JobUpdate): Promise<jobs.Job> {
    return jobIn(await this.update(id, changes), 200);
  }

  /** EXPIRED also expires every other live job of the company. */
  async jobThatIs(status: JobStatus): Promise<jobs.Job> {
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

const NO_PLACE = 'the location search gave no places: --query-parameter NAME says how it is asked';

/** Only status 201 is checked on other servers, because the specification doesn't set the others. */
export function jobIn(answer: Answer, status: number): jobs.Job {
  const told = `answered ${answer.status}: ${JSON.stringify(answer.body)}`;
  if (answer.isRemote && status === 200) assert.ok(answer.status >= 200 && answer.status < 300, told);
  else assert.equal(answer.status, status, told);
  assert.ok(isObject(answer.body), `answered ${answer.status} without a job`);
  return answer.body as jobs.Job;
}

export function itemsIn<T = jobs.Job>(answer: Answer): T[] {
  const told = `answered ${answer.status}: ${JSON.stringify(answer.body)}`;
  assert.ok(answer.status === 200 || (answer.isRemote && answer.status < 300), told);
  const { items } = (answer.body ?? {}) as { items?: T[] };
  assert.ok(Array.isArray(items), `answered without items: ${JSON.stringify(answer.body)}`);
  return items;
}
