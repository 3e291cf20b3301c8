import { join } from 'node:path';
import { LIMITS, type Limits } from './contract/limits.ts';
export type Target =
  | { kind: 'embedded'; warnings: string[] }
  | {
      kind: 'remote';
      baseUrl: string;
      key: string | undefined;
      allowInsecure: boolean;
      locationQueryParameter: string | undefined;
      warnings: string[];
    };
export interface Ledger {
  ids(): Promise<number[]>;
  append(id: number, at: number): Promise<void>;
}
export const openLedger = (_p: string, _b: string): Ledger => ({
  ids: async () => [],
  append: async () => {},
});
export const resolveTarget = async (
  flags: { baseUrl: string | undefined; allowInsecure: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Promise<Target> => {
  const b = flags.baseUrl ?? env.PARTNER_BASE_URL;
  return b === undefined
    ? { kind: 'embedded', warnings: [] }
    : {
        kind: 'remote',
        baseUrl: b,
        key: env.PARTNER_API_KEY,
        allowInsecure: flags.allowInsecure,
        locationQueryParameter: undefined,
        warnings: [],
      };
};
export const dataPaths = (env: Readonly<Record<string, string | undefined>>) => {
  const d = env.PARTNER_DATA_DIR ?? join(env.HOME ?? '/tmp', '.local/share/partner');
  return {
    ledger: join(d, 'ledger.ndjson'),
    database: join(d, 'engine', 'partner.db'),
    localKey: join(d, 'engine', 'key'),
  };
};
export const limitsOf = (_t: Target): Limits => LIMITS;
