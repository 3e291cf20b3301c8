import { COMPLETE_LISTING } from './complete-listing.ts';
import limits from './limits.json' with { type: 'json' };

interface Sized {
  /** As `fieldName` names it. */
  readonly field: string;
  /** Characters of a text, entries of an array. */
  readonly limit: number;
  /** The complete listing with a value of this size at the field. */
  withSize(size: number): Record<string, unknown>;
}

/** Every maximum size of a field (decision 15). */
export const SIZED: readonly Sized[] = Object.entries(limits).map(([field, limit]) => ({
  field,
  limit,
  withSize: (size) => withValue(field, sized(field, size)),
}));

/** The complete listing with `value` at a field, named as `fieldName` does. */
export function withValue(field: string, value: unknown): Record<string, unknown> {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  const listing = structuredClone<Record<string, unknown>>({ ...COMPLETE_LISTING });
  let holder = listing;
  for (const step of steps.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
  holder[steps.at(-1) ?? ''] = value;
  return listing;
}

function sized(field: string, size: number): unknown {
  if (field === 'atsJobUrl') return 'https://ats.example/'.padEnd(size, 'x');
  if (field.endsWith('.options')) return Array.from({ length: size }, (_, at) => `${at}`);
  if (field === 'locations' || field === 'qualifications' || field === 'questions')
    return Array(size).fill(COMPLETE_LISTING[field][0]);
  return 'x'.repeat(size);
}
