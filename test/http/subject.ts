import { fileURLToPath } from 'node:url';
import type { createOperator } from '../../src/engine/companies/operator.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { storeApplication } from '../engine/stored-application.ts';
import type { Remote } from './any-server.ts';

export interface Subject extends People {
  /** Includes the version segment `v1` (section 9). */
  readonly baseUrl: string;
  send(request: Request): Promise<Response>;
  /** Set for other people's servers, where only harmless tests with one key run. */
  readonly remote?: Remote;
  now(): number;
  passTime(companyId: string, durationMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Actions outside the partner API: by the operator, in the dashboard, by candidates. */
export interface People {
  /** The company has one key, but no accepted terms and no card. */
  newCompany(): Promise<{ companyId: string; key: string }>;
  issueKey(companyId: string): Promise<string>;
  revokeKey(companyId: string, key: string): Promise<void>;
  acceptTerms(companyId: string): Promise<void>;
  addCard(companyId: string): Promise<void>;
  /** The application freezes the job. */
  apply(jobId: number): Promise<void>;
}

export const PLACES_PATH = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));

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
