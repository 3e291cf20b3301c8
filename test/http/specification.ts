import assert from 'node:assert/strict';
import { decisionsOnContent } from './decisions-content.ts';
import { decisionOnIdempotency } from './decisions-idempotency.ts';
import { decisionsOnLimits } from './decisions-limits.ts';
import { decisionsOnReading } from './decisions-reading.ts';
import { decisionsOnRequests } from './decisions-requests.ts';
import { unansweredErrors } from './documented.ts';
import table from './rows.json' with { type: 'json' };
import { section21 } from './section-2-1-job.ts';
import { section22 } from './section-2-2-job-input.ts';
import { section23 } from './section-2-3-locations.ts';
import { sections24to26 } from './section-2-4-to-2-6-entries.ts';
import { section3Rules } from './section-3-rules.ts';
import { section3 } from './section-3-states.ts';
import { section4 } from './section-4-endpoints.ts';
import { section5 } from './section-5-authentication.ts';
import { section8 } from './section-8-limits.ts';
import type { Subject } from './subject.ts';

type Section = (subject: () => Subject) => void;

const SECTIONS: readonly Section[] = [
  section21,
  section22,
  section23,
  sections24to26,
  section3,
  section3Rules,
  section4,
  section5,
  section8,
  decisionsOnReading,
  decisionsOnRequests,
  decisionsOnLimits,
  decisionsOnContent,
  decisionOnIdempotency,
];

/** Only sections that a socket could affect. */
export const ON_THE_WIRE: readonly Section[] = [
  section3,
  section4,
  section5,
  decisionsOnRequests,
  decisionsOnLimits,
  decisionOnIdempotency,
];

/** Only sections on what a database stores, lists and locks. */
export const ON_THE_DATABASE: readonly Section[] = [
  section21,
  section3,
  decisionsOnReading,
  decisionOnIdempotency,
];

export function specification(
  name: string,
  open: () => Promise<Subject>,
  sections: readonly Section[] = SECTIONS,
): void {
  describe(`the specification, ${name}`, () => {
    let subject: Subject | undefined;

    before(async () => {
      subject = await open();
    });

    after(async () => await subject?.close());

    function opened(): Subject {
      assert.ok(subject);
      return subject;
    }

    for (const section of sections) section(opened);
    if (sections !== SECTIONS) return;

    // A test of a row has the row's text in its title, a test of a decision its number.
    it('every row of the tables and every visible decision has a test named after it', function () {
      const titles = titlesIn(this.test?.parent);
      const rows = table.rows.filter((row) => !titles.some((title) => title.startsWith(row)));
      const decisions = table.decisions.filter((number) => !titles.some((title) => names(title, number)));
      assert.deepEqual({ rows, decisions }, { rows: [], decisions: [] });
    });

    // A nested suite runs after all tests of this one.
    describe('the OpenAPI document', () => {
      it('lists no error for an operation that the operation was not answered with', () =>
        assert.deepEqual(unansweredErrors(), []));
    });
  });
}

/** A test of several rows joins their titles with ` = `. */
export function titlesIn(suite: Mocha.Suite | undefined): string[] {
  if (suite === undefined) return [];
  return [...suite.tests.flatMap(({ title }) => title.split(' = ')), ...suite.suites.flatMap(titlesIn)];
}

/** Matches "decision 9", "decisions 8 and 9" and "decisions 8, 9". */
function names(title: string, decision: number): boolean {
  const told = /decisions? ((?:\d+|, | and )+)/.exec(title)?.[1] ?? '';
  return told.split(/, | and /).includes(String(decision));
}
