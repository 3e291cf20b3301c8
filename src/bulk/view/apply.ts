import { clean, details, paragraph, section, shellWord, type View } from '../../cli/terminal/view.ts';
import { grouped } from '../../contract/words.ts';
import { type ApplyResult, type ItemOutcome, NOT_DONE } from '../apply/outcome.ts';
import type { PlanItem } from '../plan/plan-item.ts';
import { type Problem, problemOfError } from '../report/run.ts';

export type Applied = Pick<ItemOutcome, 'result' | 'jobId' | 'error'> & {
  readonly item: Pick<PlanItem, 'key' | 'notes'>;
};

const MOST_SHOWN = 20;

/** On a terminal what is not done, with what to type; elsewhere a row for each: result, key, job id, code, message. */
export function applyView(
  outcomes: readonly Applied[],
  { summary, command }: { readonly summary: string; readonly command: string },
  view: View,
): string {
  if (!view.isTerminal) return outcomes.map(outcomeRow).join('');
  const of = (result: ApplyResult) => outcomes.filter((outcome) => outcome.result === result);
  const partlyDone = outcomes.filter(
    (outcome) => !NOT_DONE.includes(outcome.result) && why(outcome) !== undefined,
  );
  const parts = [
    part('Failed', of('failed'), view),
    part('Held', of('held'), view),
    part('Not all as wanted', partlyDone, view),
    part('Outcome unknown', of('unknown'), view, (outcome) => settling(outcome, command, view)),
    leftPart(of('left'), command, view),
  ].filter((text) => text !== '');
  const isGood = outcomes.every(({ result, error }) => error === undefined && !NOT_DONE.includes(result));
  const sign = isGood ? view.paint('green', '✓') : view.paint('red', '✗');
  const end = paragraph(`${sign} ${view.paint('bold', clean(summary))}`, view);
  return [...parts, end].join('\n');
}

function outcomeRow(outcome: Applied): string {
  const { code, message } = why(outcome) ?? { code: '', message: '' };
  const { item, result, jobId } = outcome;
  const cells = [result, item.key, jobId === undefined ? '' : String(jobId), code, message];
  return `${cells.map(clean).join('\t')}\n`;
}

/** The error, or what the plan noted: why it was held, or what else there is to do. */
function why({ item, result, error }: Applied): Problem | undefined {
  if (error !== undefined) return problemOfError(error);
  return item.notes.find(({ hint }) => hint !== undefined) ?? (result === 'held' ? item.notes[0] : undefined);
}

function part(
  title: string,
  outcomes: readonly Applied[],
  view: View,
  said: (outcome: Applied) => string = (outcome) => reason(outcome, view),
): string {
  const shown = outcomes.slice(0, MOST_SHOWN);
  const lines = shown.map((outcome) => {
    const job = outcome.jobId === undefined ? '' : ` · job ${outcome.jobId}`;
    return paragraph(`  ${view.paint('bold', clean(outcome.item.key))}${job}`, view) + said(outcome);
  });
  const left = outcomes.length - shown.length;
  const more = left === 0 ? '' : `  and ${grouped(left)} more: --report json=FILE has all`;
  const text = lines.join('') + (more === '' ? '' : paragraph(view.paint('dim', more), view));
  return section(`${title}: ${grouped(outcomes.length)}`, text, view).slice(1);
}

function reason(outcome: Applied, view: View, withHint = true): string {
  const said = why(outcome);
  if (said === undefined) return '';
  const fields = Object.entries(said.fields ?? {}).map(([field, wrong]) => `${field}: ${wrong}`);
  const hint = said.hint === undefined || !withHint ? [] : [`${view.paint('dim', '→')} ${clean(said.hint)}`];
  const text = [clean(`${said.code}: ${said.message}`), ...fields.map(clean), ...hint].join('\n');
  return details([[' ', text]], view);
}

/** What is typed to settle a create whose outcome is not known; never wrapped, so that it can be copied. */
function settling(outcome: Applied, command: string, view: View): string {
  const { key } = outcome.item;
  const typed = clean(command);
  const arrow = `     ${view.paint('dim', '→')}`;
  return [
    reason(outcome, view, false),
    `${arrow} the job exists: ${typed} --adopt ${shellWord(`${key}=`)}ID\n`,
    `${arrow} it does not:    ${typed} --resend ${shellWord(key)}\n`,
  ].join('');
}

/** What was not attempted, counted by why, and the command that does it. */
function leftPart(outcomes: readonly Applied[], command: string, view: View): string {
  if (outcomes.length === 0) return '';
  const counts = new Map<string, number>();
  for (const { error } of outcomes) {
    const text = error === undefined ? 'the run was stopped' : `${error.code}: ${error.message}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const hint = outcomes.find(({ error }) => error?.hint !== undefined)?.error?.hint;
  const text =
    details(
      Array.from(counts, ([said, count]) => [grouped(count) ?? '', clean(said)] as const),
      view,
    ) +
    (hint === undefined ? '' : paragraph(`  ${view.paint('dim', '→')} ${clean(hint)}`, view)) +
    paragraph(`  ${view.paint('dim', '→')} then \`${clean(command)}\` does the rest`, view);
  return section(`Not attempted: ${grouped(outcomes.length)}`, text, view).slice(1);
}
