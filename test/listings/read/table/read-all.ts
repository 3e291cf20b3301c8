import type { Fault } from '../../../../src/listings/check/finding.ts';
import type { DocumentReading } from '../../../../src/listings/read/listing.ts';

interface Read {
  readonly values: readonly unknown[];
  readonly faults: readonly Fault[];
}

/** The listings of a table, and all that is wrong with it and with them. */
export async function readAll(readings: AsyncIterable<DocumentReading>): Promise<Read> {
  const [values, faults]: [unknown[], Fault[]] = [[], []];
  for await (const reading of readings) {
    if (reading.ok) values.push(reading.document.value);
    faults.push(...(reading.ok ? reading.document.flaws : [reading.fault]));
  }
  return { values, faults };
}
