import assert from 'node:assert/strict';
import { createSite } from '../../src/engine/app.ts';
import type { FileStore } from '../../src/engine/applications/files.ts';
import { createKeyUses, type KeyUses } from '../../src/engine/companies/keys.ts';
import { createOperator } from '../../src/engine/companies/operator.ts';
import type { App, RateLimit } from '../../src/engine/parts.ts';
import { databaseName } from '../../src/engine/store/address.ts';
import type { Store } from '../../src/engine/store/store.ts';
import type { Places } from '../../src/places/place-names.ts';
import { SOME_PLACES } from './some-places.ts';
import { type DatabaseKind, databaseFor, type TestDatabase } from './store/dialects.ts';

const BASE_URL = 'http://engine.test/v1';
const START = Date.parse('2026-03-02T09:00:00.000Z');

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects to find
  readonly body: any;
}

export interface EngineUnderTest {
  readonly database: TestDatabase;
  readonly fetch: App;
  readonly store: Store;
  readonly files: FileStore;
  readonly operator: ReturnType<typeof createOperator>;
  readonly companyId: string;
  readonly key: string;
  /** Internal errors that the engine reported. */
  readonly bugs: unknown[];
  keyUses: KeyUses;
  now: number;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

interface Options {
  readonly rateLimit?: RateLimit;
  readonly candidateRateLimit?: RateLimit;
  readonly places?: () => Promise<Places>;
  /** Wraps the store that the engine uses. */
  readonly around?: (store: Store) => Store;
}

interface SuiteOptions extends Options {
  readonly kind?: DatabaseKind;
}

export function engineFor(tests: 'each test' | 'all tests', { kind, ...options }: SuiteOptions = {}) {
  const engine = {} as EngineUnderTest;
  const isForEach = tests === 'each test';
  const database = databaseFor(tests, kind);
  const [open, close] = isForEach ? [beforeEach, afterEach] : [before, after];
  open(async () => void (await engineOn(database(), options, engine)));
  close(async () => {
    await engine.store.close();
    assert.deepEqual(engine.bugs, []);
  });
  return engine;
}

/** The company has accepted the terms and has a card on file. */
export async function engineOn(
  database: TestDatabase,
  options: Options = {},
  engine = {} as EngineUnderTest,
): Promise<EngineUnderTest> {
  const { rateLimit, candidateRateLimit, places, around = (store: Store) => store } = options;
  const { address } = database;
  const store = around(await database.openStore());
  const bugs: unknown[] = [];
  engine.now = START;
  const clock = () => engine.now;
  engine.keyUses = createKeyUses(store, clock);
  const reportBug = (error: unknown) => void bugs.push(error);
  // Tests load a dynamic import as a different module from a static one, so this must be dynamic as in the engine.
  const { createFileStore } = await import('../../src/engine/applications/files.ts');
  const directory = address.dialect === 'sqlite' ? `${address.path}-files` : undefined;
  const files = createFileStore({ store, directory, machine: Date.now, reportBug });
  const operator = createOperator(
    store,
    { now: clock, refresh: async () => {} },
    databaseName(address),
    files,
  );
  const { companyId, key } = await payingCompany(operator);
  const fetch = createSite({
    store,
    keyUses: engine.keyUses,
    files,
    places: (await places?.()) ?? SOME_PLACES,
    clock,
    machineClock: clock,
    rateLimit,
    candidateRateLimit,
    reportBug,
  });
  const call: EngineUnderTest['call'] = (method, path, body, headers = {}) =>
    callOf(fetch, key, method, path, body, headers);
  return Object.assign(engine, { database, bugs, fetch, store, files, operator, companyId, key, call });
}

/** A company that may publish, with a key. */
export async function payingCompany({ companies, keys, dashboard }: EngineUnderTest['operator']) {
  const { id: companyId } = await companies.create('Acme');
  await dashboard.acceptTerms(companyId);
  await dashboard.addCard(companyId);
  return { companyId, key: (await keys.create(companyId)).key };
}

export async function callOf(
  fetch: App,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const request = new Request(`${BASE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: sent as BodyInit }),
  });
  const response = await fetch(request);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
