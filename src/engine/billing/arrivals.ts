import type { Arrival, ArrivalTerms } from '../../contract/simulation.ts';
import { drawsOf } from '../lab/draws.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Made-up applicants from `startsAt` up to `endsAt` (epoch ms), in their order: a Poisson process, so the times
 * between them are exponential. Another share of qualified ones leaves their times as they are.
 */
export function* arrivals({
  startsAt,
  endsAt,
  ratePerDay,
  qualifiedShare,
  seed,
}: ArrivalTerms): Generator<Arrival> {
  const gap = drawsOf(seed, 0);
  const qualified = qualifications(qualifiedShare, seed);
  const meanGapMs = DAY_MS / ratePerDay;
  for (let time = startsAt; ; ) {
    // A draw is less than 1, so this is the logarithm of more than 0.
    time -= Math.log(1 - gap()) * meanGapMs;
    if (time >= endsAt) return;
    yield { time: Math.floor(time), isQualified: qualified() };
  }
}

/** Whether each next applicant is qualified, where nothing but the share of those who are says so. */
export function qualifications(share: number, seed: number): () => boolean {
  const draw = drawsOf(seed, 1);
  return () => draw() < share;
}
