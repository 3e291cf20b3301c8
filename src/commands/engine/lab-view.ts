import { counted, grouped } from '../../cli/terminal/words.ts';
import type { LabOptions } from '../../engine/lab/decisions.ts';
import type { Injected } from '../../engine/lab/lab.ts';

/** `lab: 200 ms latency, 10 % fail, 5 % dropped, seed 7`: what a served engine does to its requests. */
export function labText(lab: LabOptions, perSecond: number | undefined): string {
  const { seed, latencyMs, failRate, dropRate, knowsIdempotency, listsJobs } = lab;
  const { min, max } = latencyMs;
  const parts = [
    max > 0 && `${min === max ? max : `${min} to ${max}`} ms latency`,
    failRate > 0 && `${percent(failRate)} fail`,
    dropRate > 0 && `${percent(dropRate)} dropped`,
    perSecond !== undefined && `${counted(perSecond, 'request')} a second`,
    !knowsIdempotency && 'no Idempotency-Key',
    !listsJobs && 'no list of jobs',
    `seed ${seed}`,
  ];
  return `lab: ${parts.filter(Boolean).join(', ')}`;
}

/** What a lab has done, shown at its end. */
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

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}
