import { TEST_OPPORTUNITY } from '../../test/http/listing.ts';
import type { ContractReport, Verdict } from './run.ts';

const VERDICTS: readonly Verdict[] = ['held', 'broken', 'not offered', 'not tried'];

/** A report as people read it: a line a sentence, what is broken once more, and a summary. */
export function contractText({ lines, untouched, drafts, live }: ContractReport): string {
  const line = ({ verdict, title, reason }: ContractReport['lines'][number]) =>
    `${verdict.padEnd(12)} ${title}${reason === undefined ? '' : `\n             ${reason}`}`;
  const broken = lines.filter(({ verdict }) => verdict === 'broken');
  const counts = VERDICTS.map((verdict) => {
    const count = lines.filter((each) => each.verdict === verdict).length;
    return `${count} ${verdict}`;
  });
  return [
    ...lines.map(line),
    '',
    `What one key cannot show, or only with many drafts: ${untouched.map((row) => row.replace(/[:,]$/, '')).join('; ')}`,
    '',
    ...(broken.length === 0 ? [] : ['Broken:', ...broken.map(line), '']),
    ...(live.length === 0 ? [] : [`Could not be closed, and may be live: ${live.join(', ')}`]),
    `${drafts.length} drafts stay, with the opportunityId ${TEST_OPPORTUNITY}: ${drafts.join(', ')}`,
    counts.join(', '),
    '',
  ].join('\n');
}
