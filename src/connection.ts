import type { PartnerClient } from './client/client.ts';
import type { Limits } from './contract/limits.ts';
import type { Places } from './contract/places.ts';
import type { Ledger } from './settings/ledger.ts';
import type { Target } from './settings/target.ts';

/** The flags that say where a call goes and how long it may take. */
export interface CallFlags {
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
  readonly allowInsecure: boolean;
  readonly timeoutMs: number;
  readonly debug: boolean;
  readonly quiet: boolean;
}

/** A client and all that a command needs to know of where its calls go. */
export interface Connection {
  readonly target: Target;
  readonly client: PartnerClient;
  readonly ledger: Ledger;
  /** The bundled places, where the server's places are those. */
  readonly places: Places | undefined;
  readonly limits: Limits;
  readonly close: () => Promise<void>;
}
