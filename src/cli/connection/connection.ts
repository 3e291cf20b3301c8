import type { PartnerClient, TraceEvent } from '../../client/client.ts';
import type { Probe } from '../../client/exchange.ts';
import type { PaceOptions } from '../../client/pacing.ts';
import type { LocationSuggestion } from '../../contract/job.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Places } from '../../contract/places.ts';
import type { CreatedJobs } from '../settings/created-jobs.ts';
import type { TargetFlags } from '../settings/destination.ts';
import type { Target } from '../settings/target.ts';

/** The flags that say where a call goes and how long it may take. */
export interface CallFlags extends TargetFlags {
  /** Where it is not given, the target's own, or else 30 seconds. */
  readonly timeoutMs: number | undefined;
  readonly debug: boolean;
  readonly quiet: boolean;
}

export interface ConnectionOptions {
  readonly signal?: AbortSignal | undefined;
  readonly pool?: Pick<PaceOptions, 'ratePerSecond' | 'onPause' | 'maxWaitMs'> | undefined;
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
}

/** A suggestion with its population, which tells Paris from Paris, Texas: section 2.3 has none. */
type FoundPlace = LocationSuggestion & { readonly population?: number | undefined };

/** A client and all that a command needs to know of where its calls go. */
export interface Connection {
  readonly target: Target;
  readonly baseUrl: string;
  /** The first 12 base64url characters of the key's SHA-256: tells keys apart and gives none away. */
  readonly keyDigest: string;
  readonly client: PartnerClient;
  /** Sends one request as it is, for finding out what a server does. */
  readonly probe: Probe;
  readonly createdJobs: CreatedJobs;
  /** The bundled places, where the server's places are those. */
  readonly places: Places | undefined;
  /**
   * The server's location search, best first; bundled places have their population. With a signal, which stops it, it
   * is made while somebody types.
   */
  readonly searchPlaces: (q: string, signal?: AbortSignal) => Promise<readonly FoundPlace[]>;
  /** The place with that id, where a search of this server has shown it, here or in an earlier run, or shows it now. */
  readonly placeById: (locationId: number) => Promise<LocationSuggestion | undefined>;
  /** Lets `placeById` know the places that another search than `searchPlaces` has shown. */
  readonly rememberPlaces: (places: readonly LocationSuggestion[]) => void;
  readonly limits: Limits;
  readonly now: () => number;
  readonly close: () => Promise<void>;
}
