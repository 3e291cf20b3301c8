import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The real PostgreSQL server that the tests may use, if there is one; its user may make databases. */
export const POSTGRES_URL = process.env.PARTNER_TEST_POSTGRES_URL || undefined;

/** A suite that takes a real server; where there is none, says that it was left out. */
export function describeOnServer(title: string, suite: () => void): void {
  if (POSTGRES_URL !== undefined) describe(title, suite);
  else console.error(`    not tested, as PARTNER_TEST_POSTGRES_URL is not set: ${title}`);
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database of its own on the real server. Throws where PARTNER_TEST_POSTGRES_URL is not set. */
export async function newDatabase(): Promise<TestDatabase> {
  if (POSTGRES_URL === undefined) throw new Error('PARTNER_TEST_POSTGRES_URL is not set');
  const name = `partner_${randomBytes(6).toString('hex')}`;
  await asAdministrator(`create database ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdministrator(`drop database ${name} with (force)`) };
}

async function asAdministrator(statement: string): Promise<void> {
  const client = new Client({ connectionString: POSTGRES_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
