import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The user must be allowed to create databases. */
export const POSTGRES_URL = process.env.PARTNER_TEST_POSTGRES_URL || undefined;

/** Without a server, the suite's tests are reported as pending. */
export function describeOnServer(title: string, suite: () => void): void {
  (POSTGRES_URL === undefined ? describe.skip : describe)(title, suite);
}

/** Mocha runs this once, regardless of the number of its processes. */
export function mochaGlobalSetup(): void {
  if (POSTGRES_URL !== undefined) return;
  console.warn(
    `\n  PARTNER_TEST_POSTGRES_URL is not set: the tests that take a real PostgreSQL server are left out, as pending.
  Those of the queries run on PostgreSQL in this process all the same.`,
  );
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Throws if PARTNER_TEST_POSTGRES_URL isn't set. */
export async function newDatabase(): Promise<TestDatabase> {
  if (POSTGRES_URL === undefined) throw new Error('PARTNER_TEST_POSTGRES_URL is not set');
  const name = `partner_${randomBytes(6).toString('hex')}`;
  const administrator = POSTGRES_URL;
  const administrate = (statement: string) => onDatabase(administrator, statement);
  await administrate(`create database ${name}`);
  const made = new URL(POSTGRES_URL);
  made.pathname = `/${name}`;
  return {
    url: made.href,
    drop: async () => void (await administrate(`drop database ${name} with (force)`)),
  };
}

export async function onDatabase(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

export async function holding(url: string, statement: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return { release: () => client.end() };
}
