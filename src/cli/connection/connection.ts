import type { PartnerClient, TraceEvent } from '../../client/client.ts';
import type { Probe } from '../../client/exchange.ts';
import type { PaceOptions } from '../../client/pacing.ts';
import type { LocationSuggestion } from '../../contract/job.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Places } from '../../contract/places.ts';
import type { CreatedJobs } from '../settings/created-jobs.ts';
import type { ServerFlags } from '../settings/server-settings.ts';
import type { Target } from '../settings/target.ts';

/** The flags that say where a call goes and how long it may take. */
export interface CallFlags extends ServerFlags {
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
  readonly local: boolean;
  readonly allowInsecure: boolean;
  /** Where it is not given, the target's own, or else 30 seconds. */
  readonly timeoutMs: number | undefined;
  readonly debug: boolean;
  readonly quiet: boolean;
}

/** How the calls of a connection are made, where that is not as for a single call. */
export interface ConnectionOptions {
  /** Stops every call, instead of Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
  /** Many calls at a time, which keep one pace. */
  readonly pool?: Pick<PaceOptions, 'ratePerSecond' | 'onPause' | 'maxWaitMs'> | undefined;
  /** Told of each step of each call. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
}

/** A suggestion with its population, where that is known. */
type FoundPlace = LocationSuggestion & { readonly population?: number | undefined };

/** A client and all that a command needs to know of where its calls go. */
export interface Connection {
  readonly target: Target;
  /** The API's root, as calls are sent to it. */
  readonly baseUrl: string;
  /**
   * The first 12 base64url characters of the SHA-256 of the key that calls are made with: tells one key from another,
   * and gives none away, as keys are random and long.
   */
  readonly keyDigest: string;
  readonly client: PartnerClient;
  /** Sends one request as it is, for finding out what a server does. */
  readonly probe: Probe;
  readonly createdJobs: CreatedJobs;
  /** The bundled places, where the server's places are those. */
  readonly places: Places | undefined;
  /**
   * The server's location search, best first. A suggestion that is a bundled place has its population, which
   * tells Paris from Paris, Texas: section 2.3 has none. With a signal, which stops it, it is made while somebody
   * types: nothing is said on stderr meanwhile.
   */
  readonly searchPlaces: (q: string, signal?: AbortSignal) => Promise<readonly FoundPlace[]>;
  /** The place with that id, where a search of this server has shown it, here or in an earlier run, or shows it now. */
  readonly placeById: (locationId: number) => Promise<LocationSuggestion | undefined>;
  /** Lets `placeById` know the places that were shown by another search than `searchPlaces`. */
  readonly rememberPlaces: (places: readonly LocationSuggestion[]) => void;
  readonly limits: Limits;
  /** The time by which what is answered is shown, in epoch ms: the bundled engine's own, else the machine's. */
  readonly now: () => number;
  readonly close: () => Promise<void>;
}
