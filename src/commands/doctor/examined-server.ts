import type { Connection } from '../../cli/connection/connection.ts';
import { keepLearned } from '../../cli/settings/profiles.ts';
import type { Target } from '../../cli/settings/target.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Check, Clocks } from './checks.ts';
import { CALL_MS, Examination, readChecks } from './remote-checks.ts';

export interface Examined {
  readonly checks: readonly Check[];
  readonly learned: { readonly traits: object; readonly locationQueryParameter?: string };
  /** The profile that keeps it; undefined where none does. */
  readonly keptIn: string | undefined;
  /** False where the server could not be reached, or refused the key: nothing was found out then. */
  readonly isReached: boolean;
  /** The drafts that were made for it. */
  readonly drafts: readonly number[];
}

interface ExaminationOptions {
  readonly isWriting: boolean;
  /** The longest that one call may take. */
  readonly timeoutMs: number | undefined;
  readonly clocks: Clocks;
  /** Where the profiles are. */
  readonly configDirectory: string | undefined;
}

/** Throws USAGE for the bundled engine: it does all that a server may do. */
export function assertServer(target: Target): void {
  if (target.kind === 'remote') return;
  throw new PartnerError('USAGE', {
    message: '--remote examines a server, and calls go to the bundled engine here',
    hint: 'name a server with --base-url or --profile; `partner auth login NAME --base-url URL` keeps one',
  });
}

/** Finds out what the server of a connection does where the specification is silent, and keeps it in its profile. */
export async function examinedServer(
  { target, probe }: Connection,
  { isWriting, timeoutMs = CALL_MS, clocks, configDirectory }: ExaminationOptions,
): Promise<Examined> {
  if (target.kind !== 'remote') throw new Error('the bundled engine is no server');
  const on = new Examination(target, clocks, probe, timeoutMs);
  let drafts: readonly number[] = [];
  const isReached = await readChecks(on);
  if (isReached) {
    if (isWriting) drafts = await (await import('./write-checks.ts')).writeChecks(on);
    await on.look('Latency', () => on.latency());
  }
  const { traits, locationQueryParameter } = on;
  const learned = { traits, ...(locationQueryParameter === undefined ? {} : { locationQueryParameter }) };
  const { keptIn: name, baseUrl } = target;
  const kept = { ...learned, traits: { ...target.traits, ...traits } };
  const isKept =
    isReached && name !== undefined && (await keepLearned(configDirectory, { name, baseUrl, ...kept }));
  return { checks: on.checks, learned, keptIn: isKept ? name : undefined, isReached, drafts };
}

/** The note about where what was found is kept. */
export function keptWhere(profile: string | undefined): string {
  return profile === undefined
    ? 'nothing keeps this: log in to the server with `partner auth login`, and look again'
    : `profile ${profile} keeps what was found, and it is used from now on`;
}
