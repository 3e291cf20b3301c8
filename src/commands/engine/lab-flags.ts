import { randomInt } from 'node:crypto';
import * as Flags from '@oclif/core/flags';
import { SEEDS, seedFlag, shareFlag, wholeNumber } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';

/** What `engine serve` takes to rehearse a bad network. */
export const labFlags = {
  latency: Flags.string({
    helpValue: 'TIME',
    description: 'Answer that much later: 200ms, or between 50ms..200ms',
  }),
  'fail-rate': Flags.string({
    helpValue: 'SHARE',
    description: 'Answer this share of requests, 0 to 1, by a failure: 429, 5xx, a page, half a body',
  }),
  'drop-rate': Flags.string({
    helpValue: 'SHARE',
    description: 'Destroy the connection of this share of requests, before or after the work',
  }),
  seed: Flags.string({
    helpValue: 'N',
    description: 'Decide by this number, so that a run can be repeated; else by one that is told',
  }),
  'no-idempotency': Flags.boolean({ description: 'Behave like a server that knows no Idempotency-Key' }),
  'no-list': Flags.boolean({ description: 'Behave like a server that does not list jobs' }),
};

const FLAGS_OF_A_LAB = ['latency', 'fail-rate', 'drop-rate', 'seed', 'no-idempotency', 'no-list'] as const;
/** Clients give up long before, and timers end at 24 days. */
const LATENCY_MAX_MS = 600_000;

type Given = string | boolean | undefined;
type LabFlagValues = Readonly<Record<keyof typeof labFlags, Given>>;

/** The lab that the flags ask for; undefined where they ask for none. Throws USAGE. */
export function labOf(flags: LabFlagValues) {
  if (FLAGS_OF_A_LAB.every((name) => flags[name] === undefined || flags[name] === false)) return undefined;
  const failRate = shareFlag('--fail-rate', String(flags['fail-rate'] ?? 0));
  const dropRate = shareFlag('--drop-rate', String(flags['drop-rate'] ?? 0));
  if (failRate + dropRate > 1 + Number.EPSILON) {
    throw new PartnerError('USAGE', {
      message: `--fail-rate ${failRate} and --drop-rate ${dropRate} are more than all requests together`,
      hint: 'choose two that are 1 or less together',
    });
  }
  return {
    seed: flags.seed === undefined ? randomInt(SEEDS) : seedFlag(String(flags.seed)),
    latencyMs: latencyOf(flags.latency),
    failRate,
    dropRate,
    knowsIdempotency: flags['no-idempotency'] !== true,
    listsJobs: flags['no-list'] !== true,
  };
}

/** `--rate-limit 20` or `20/s`, in requests a second. Throws USAGE. */
export function perSecondOf(flag: string, given: string): number {
  return wholeNumber(flag, given.replace(/\/s$/, ''), { min: 1 });
}

function latencyOf(given: Given): { min: number; max: number } {
  if (given === undefined) return { min: 0, max: 0 };
  const ends = String(given).split('..').map(parseDuration);
  const [min, max] = [ends.at(0), ends.at(-1)];
  if (min !== undefined && max !== undefined && ends.length <= 2 && min <= max && max <= LATENCY_MAX_MS) {
    return { min, max };
  }
  throw new PartnerError('USAGE', {
    message: `--latency takes a duration of up to 10 minutes or a range of two, not \`${given}\``,
    hint: 'write it like 200ms, or 50ms..200ms with the shorter one first',
  });
}
