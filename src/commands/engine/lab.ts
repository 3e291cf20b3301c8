import { randomInt } from 'node:crypto';
import type { Interfaces } from '@oclif/core';
import * as flag from '../../cli/flags/flag-values.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';
import { formatCount } from '../../contract/words.ts';
import type { Injected } from '../../engine/lab/lab.ts';

const latencyFlag = flag.createParsedFlag('TIME', parseLatency);

export const labFlags = flag.inGroup('LAB', {
  latency: latencyFlag({ description: 'Delay for each response, such as 200ms or 50ms..200ms (random)' }),
  'fail-rate': flag.shareFlag({
    description: 'Share of failing requests, 0 to 1 (429, 5xx, HTML, truncated body)',
  }),
  'drop-rate': flag.shareFlag({
    description: 'Share of requests to disconnect, 0 to 1, before or after processing',
  }),
  seed: flag.numberFlag({
    ...flag.SEED_RANGE,
    description: 'Seed for repeating the same faults and delays (random and printed if not set)',
  }),
  'no-idempotency': flag.switchFlag('Simulate a server without idempotency key support'),
  'no-list': flag.switchFlag("Simulate a server that can't list jobs"),
});

/** Maximum for `--latency`. Clients time out long before this. */
const LATENCY_MAX_MS = 600_000;

type LabFlagValues = Interfaces.InferredFlags<typeof labFlags>;

export function readLab(flags: LabFlagValues) {
  const names = Object.keys(labFlags) as (keyof LabFlagValues)[];
  if (names.every((name) => flags[name] === undefined || flags[name] === false)) return undefined;
  const { 'fail-rate': failRate = 0, 'drop-rate': dropRate = 0 } = flags;
  if (failRate + dropRate > 1 + Number.EPSILON) {
    throw new PartnerError('USAGE', {
      message: `--fail-rate ${failRate} and --drop-rate ${dropRate} add up to more than 1`,
      hint: 'use values with a sum of 1 or less',
    });
  }
  return {
    seed: flags.seed ?? randomInt(flag.SEEDS),
    latencyMs: flags.latency ?? { min: 0, max: 0 },
    failRate,
    dropRate,
    knowsIdempotency: !flags['no-idempotency'],
    listsJobs: !flags['no-list'],
  };
}

function parseLatency(given: string) {
  const ends = given.split('..').map(parseDuration);
  const [min, max] = [ends.at(0), ends.at(-1)];
  if (min !== undefined && max !== undefined && ends.length <= 2 && min <= max && max <= LATENCY_MAX_MS) {
    return { min, max };
  }
  const hint = 'for example: 200ms, or 50ms..200ms with the shorter one first';
  throw createValueError('--latency', 'a duration of up to 10 minutes or a range', given, hint);
}

export function formatInjected({ requests, failed, dropped, tooMany }: Injected): string[] {
  const moments = ({ before, after }: Injected['failed']): string =>
    `${before} before processing, ${after} after`;
  return [
    `lab: ${formatCount(requests, 'request')}`,
    `  failed   ${moments(failed)}`,
    `  dropped  ${moments(dropped)}`,
    `  429      ${tooMany}, including rate limits`,
  ];
}
