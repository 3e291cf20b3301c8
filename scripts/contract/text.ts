import { TEST_OPPORTUNITY } from '../../test/http/listing.ts';

export type Verdict = 'held' | 'broken' | 'not offered' | 'not tried';

export interface ContractLine {
  readonly verdict: Verdict;
  /** Section number and sentence of the specification. Several sentences are separated by ` = `. */
  readonly title: string;
  readonly reason?: string;
}

export interface ContractReport {
  readonly lines: readonly ContractLine[];
  /** Sentences of the specification that no test for remote servers covers. */
  readonly untouched: readonly string[];
  /** IDs of the drafts that remain, because the API can't delete drafts. */
  readonly drafts: readonly number[];
  /** IDs of published jobs that couldn't be closed. */
  readonly live: readonly number[];
}

const VERDICTS: readonly Verdict[] = ['held', 'broken', 'not offered', 'not tried'];

export function lineText({ verdict, title, reason }: ContractLine): string {
  return `${verdict.padEnd(12)} ${title}${reason === undefined ? '' : `\n             ${reason}`}`;
}

/** Summary after the lines: untested requirements, broken tests, remaining jobs and the number of each verdict. */
export function summaryText({ lines, untouched, drafts, live }: ContractReport): string {
  const broken = lines.filter(({ verdict }) => verdict === 'broken');
  const counts = VERDICTS.map((verdict) => {
    const count = lines.filter((each) => each.verdict === verdict).length;
    return `${count} ${verdict}`;
  });
  return [
    '',
    `Not tested, because it requires more than one key or many drafts: ${untouched.map((row) => row.replace(/[:,]$/, '')).join('; ')}`,
    '',
    ...(broken.length === 0 ? [] : ['Broken:', ...broken.map(lineText), '']),
    ...(live.length === 0 ? [] : [`Couldn't close these jobs, which may be live: ${live.join(', ')}`]),
    `${drafts.length} drafts remain, with the opportunityId ${TEST_OPPORTUNITY}: ${drafts.join(', ')}`,
    counts.join(', '),
    '',
  ].join('\n');
}
