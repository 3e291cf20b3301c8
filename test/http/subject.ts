import { fileURLToPath } from 'node:url';
import type { createOperator } from '../../src/engine/companies/operator.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { storeApplication } from '../engine/stored-application.ts';
import type { Remote } from './any-server.ts';

/** What the specification suite is run against: one service, however it is reached. */
export interface Subject extends People {
  /** The API root, which includes the version segment `v1` (section 9). */
  readonly baseUrl: string;
  send(request: Request): Promise<Response>;
  /** Set where the server is not ours, and only what one key may do without harm is tried. */
  readonly remote?: Remote;
  /** The service's own time, epoch ms. */
  now(): number;
  /** Everything of this company happened `durationMs` longer ago: whole seconds. */
  passTime(companyId: string, durationMs: number): Promise<void>;
  close(): Promise<void>;
}

/** What is done beside the partner API: by the operator, in the dashboard, by candidates. */
export interface People {
  /** A company that has accepted no terms and has no card, with one key. */
  newCompany(): Promise<{ companyId: string; key: string }>;
  issueKey(companyId: string): Promise<string>;
  revokeKey(companyId: string, key: string): Promise<void>;
  acceptTerms(companyId: string): Promise<void>;
  addCard(companyId: string): Promise<void>;
  /** A candidate applies, which freezes the job. */
  apply(jobId: number): Promise<void>;
}

export const PLACES_PATH = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));

/** The people around an engine, at work on its database. */
export function peopleOf(
  operator: ReturnType<typeof createOperator>,
  store: Store,
  now: () => number,
): People {
  const issueKey = async (companyId: string) => (await operator.keys.create(companyId)).key;
  return {
    issueKey,
    async newCompany() {
      const { id } = await operator.companies.create('A company');
      return { companyId: id, key: await issueKey(id) };
    },
    async revokeKey(companyId, key) {
      const keys = await operator.keys.list(companyId);
      const revoked = keys.filter(({ last4 }) => key.endsWith(last4));
      if (revoked.length !== 1)
        throw new Error(`${revoked.length} keys of ${companyId} end like the one to revoke`);
      for (const { id } of revoked) await operator.keys.revoke(id);
    },
    async acceptTerms(companyId) {
      await operator.dashboard.acceptTerms(companyId);
    },
    async addCard(companyId) {
      await operator.dashboard.addCard(companyId);
    },
    async apply(jobId) {
      const receivedAt = new Date(now()).toISOString();
      await store.write((queries) => storeApplication(queries, jobId, 'pending', receivedAt));
    },
  };
}
