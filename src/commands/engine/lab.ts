import { randomInt } from 'node:crypto';
import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { SEEDS, seedFlag, shareFlag } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';
import { grouped } from '../../contract/words.ts';
import type { Injected } from '../../engine/lab/lab.ts';

export const labFlags = {
  latency: Flags.custom<{ min: number; max: number }>({
    helpValue: 'TIME',
    parse: async (given) => latencyOf(given),
  })({ description: 'Delay each answer by this: 200ms, or between 50ms..200ms' }),
  'fail-rate': shareFlag({
    description: 'Answer this share of requests, 0 to 1, by a failure: 429, 5xx, a page, half a body',
  }),
  'drop-rate': shareFlag({
    description: 'Destroy the connection of this share of requests, before or after the work',
  }),
  seed: seedFlag({
    description: 'Decide the same again as with this number; otherwise it is random, and shown',
  }),
  'no-idempotency': Flags.boolean({ description: 'Behave like a server that knows no Idempotency-Key' }),
  'no-list': Flags.boolean({ description: 'Behave like a server that does not list jobs' }),
};

/** Clients give up long before, and timers end at 24 days. */
const LATENCY_MAX_MS = 600_000;

type LabFlagValues = Interfaces.InferredFlags<typeof labFlags>;

/** The lab that the flags ask for; undefined where they ask for none. Throws USAGE. */
export function labOf(flags: LabFlagValues) {
  const names = Object.keys(labFlags) as (keyof LabFlagValues)[];
  if (names.every((name) => flags[name] === undefined || flags[name] === false)) return undefined;
  const { 'fail-rate': failRate = 0, 'drop-rate': dropRate = 0 } = flags;
  if (failRate + dropRate > 1 + Number.EPSILON) {
    throw new PartnerError('USAGE', {
      message: `--fail-rate ${failRate} and --drop-rate ${dropRate} are more than all requests together`,
      hint: 'choose two that are 1 or less together',
    });
  }
  return {
    seed: flags.seed ?? randomInt(SEEDS),
    latencyMs: flags.latency ?? { min: 0, max: 0 },
    failRate,
    dropRate,
    knowsIdempotency: !flags['no-idempotency'],
    listsJobs: !flags['no-list'],
  };
}

function latencyOf(given: string) {
  const ends = given.split('..').map(parseDuration);
  const [min, max] = [ends.at(0), ends.at(-1)];
  if (min !== undefined && max !== undefined && ends.length <= 2 && min <= max && max <= LATENCY_MAX_MS) {
    return { min, max };
  }
  throw new PartnerError('USAGE', {
    message: `--latency takes a duration of up to 10 minutes or a range of two, not \`${given}\``,
    hint: 'write it like 200ms, or 50ms..200ms with the shorter one first',
  });
}

export function injectedText({ requests, failed, dropped, tooMany }: Injected): string[] {
  const moments = ({ before, after }: Injected['failed']): string =>
    `${before} before the work, ${after} after it`;
  return [
    `lab: ${grouped(requests)} ${requests === 1 ? 'request' : 'requests'}`,
    `  failed   ${moments(failed)}`,
    `  dropped  ${moments(dropped)}`,
    `  429      ${tooMany}, those of a rate limit too`,
  ];
}
