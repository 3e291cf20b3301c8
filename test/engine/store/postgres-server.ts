import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The real PostgreSQL server that the tests may use, if there is one; its user may make databases. */
export const POSTGRES_URL = process.env.PARTNER_TEST_POSTGRES_URL || undefined;

/** A suite that takes a real server: without one, its tests are among those that the run counts as pending. */
export function describeOnServer(title: string, suite: () => void): void {
  (POSTGRES_URL === undefined ? describe.skip : describe)(title, suite);
}

/** Run by mocha once, whatever number of processes it starts. */
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

/** An empty database of its own on the real server. Throws where PARTNER_TEST_POSTGRES_URL is not set. */
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

/** Runs one statement over a connection of its own, and gives its rows. */
export async function onDatabase(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Runs a statement in a transaction that stays open, with its locks, until it is released. */
export async function holding(url: string, statement: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return { release: () => client.end() };
}
