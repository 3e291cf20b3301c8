import { PartnerError } from '../contract/errors.ts';
import type { Finding } from '../listings/check/finding.ts';
import type { SetReading } from './read-set.ts';
import { grouped } from './report/sentence.ts';

/** So many problems are named; `jobs validate` shows them all. */
const PROBLEMS_MAX = 50;

/**
 * The error that stops a run before its first call: which listings are invalid, and where. Undefined where all
 * are valid, and under `keepGoing` where some are.
 */
export function refusalOf(reading: SetReading, keepGoing: boolean): PartnerError | undefined {
  const { found, invalid, wanted } = reading;
  if (invalid === 0 || (keepGoing && wanted.length > 0)) return undefined;
  const errors = found.findings.filter(({ level }) => level === 'error');
  const named = errors.slice(0, PROBLEMS_MAX);
  const more = found.errors - named.length;
  return new PartnerError('VALIDATION_FAILED', {
    message: `${invalidListings(reading)}; nothing was sent`,
    fields: {
      ...Object.fromEntries(named.map((finding) => [placeOf(finding), told(finding)])),
      ...(more > 0 ? { '…': `and ${more} more` } : {}),
    },
    hint:
      wanted.length > 0
        ? 'mend them (`partner jobs validate` shows them all), or leave them out with --keep-going'
        : 'mend them; `partner jobs validate` shows them all',
  });
}

/** `1 of 1,000 listings is invalid`, as plan and apply both tell it. */
export function invalidListings({ invalid, listings }: SetReading): string {
  const noun = listings === 1 ? 'listing' : 'listings';
  return `${grouped(invalid)} of ${grouped(listings)} ${noun} ${invalid === 1 ? 'is' : 'are'} invalid`;
}

/** `jobs/nurse.json:4:12 salaryMin`, which terminals and editors make a link of. */
function placeOf({ file, line, column, field }: Finding): string {
  return `${file}:${line}:${column}${field === '' ? '' : ` ${field}`}`;
}

function told({ message, hint }: Finding): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
