import { hash } from 'node:crypto';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { capWarnings } from '../../cli/caps.ts';
import { describeJob } from '../../cli/confirmation.ts';
import type { Connection } from '../../cli/connection/connect.ts';
import { shellWord } from '../../cli/terminal/view.ts';
import type { ServerJob } from '../../client/client.ts';
import { newIdempotencyKey } from '../../client/retry.ts';
import { differencesFromCreate, findDifferences } from '../../contract/entries.ts';
import { CONTENT_REFUSALS, errorRow, PartnerError } from '../../contract/errors.ts';
import type { JobInput, JobUpdate } from '../../contract/job.ts';
import { FROZEN_FIELDS, hasMoved, notMoved } from '../../contract/lifecycle.ts';
import { clipText } from '../../contract/problems.ts';
import { attempt } from '../../contract/system-errors.ts';
import { changesOnOneLine, differenceWarnings } from '../../reports/changes.ts';
import { jobCard } from './job-card.ts';
import { assertStaysComplete } from './job-checks.ts';
import { withNext } from './job-moves.ts';

export abstract class CreateCommand extends PartnerCommand {
  /** Creates a job. Records its ID (or warns), because some servers can't list jobs (decision 5). */
  protected async create(input: JobInput, givenKey?: string): Promise<ServerJob> {
    const { resend = false } = this.globals as { readonly resend?: boolean };
    const now = this.context.clock();
    const connection = await this.connect();
    const { client, createdJobs, target, keyDigest } = connection;
    const content = hash('sha256', keyDigest + JSON.stringify(input), 'base64url');
    const before =
      target.kind === 'remote' ? attempt(() => createdJobs.findUnansweredCreate(content)) : undefined;
    if (before !== undefined && givenKey === undefined && !resend) {
      throw new PartnerError('OUTCOME_UNKNOWN', {
        message: `the server didn't respond to a create of this job at ${before.at}, so the job may exist. Nothing was sent now`,
        hint: describeSearch(input, connection),
      });
    }
    const idempotencyKey = givenKey ?? before?.idempotencyKey ?? newIdempotencyKey(now);
    const keep = (jobId?: number) =>
      target.kind === 'remote' ? createdJobs.append(jobId, now, { content, idempotencyKey }) : undefined;
    const job = await client.createJob(input, { idempotencyKey }).catch((error: unknown) => {
      if (!(error instanceof PartnerError)) throw error;
      const { code, message, hint, mayHaveCreated } = error;
      if (input.publish && !mayHaveCreated && CONTENT_REFUSALS.includes(code))
        throw error.with({ message: `no job was created: ${message}` });
      // If the job was created but couldn't be read, the error already has its ID.
      if (!mayHaveCreated || (hint !== undefined && hint !== errorRow(code).next)) throw error;
      keep();
      throw error.with({ hint: describeSearch(input, connection) });
    });
    const unwritten = keep(job.id);
    if (unwritten !== undefined) await this.note(`warning: ${unwritten}`, false);
    await this.note(differenceWarnings(differencesFromCreate(input, job), job), false);
    return job;
  }
}

export function assertLive(job: ServerJob, { publish }: JobInput): void {
  if (!publish || hasMoved('publish', job.status)) return;
  const next =
    job.status === 'DRAFT' ? 'publish it with `partner jobs publish' : 'check it with `partner jobs get';
  const hint = `job ${job.id} was created, so don't create it again: ${next} ${job.id}\``;
  throw notMoved('publish', job.id, job.status).with({ hint });
}

const SHOWN_CHARACTERS = 60;

function describeSearch({ opportunityId, title }: JobInput, { client, target }: Connection): string {
  const isNamed = title !== undefined && title.trim() !== '';
  const called = isNamed ? `title ${JSON.stringify(clipText(title, SHOWN_CHARACTERS))}` : 'the newest job';
  const sign = opportunityId ? `opportunityId ${JSON.stringify(opportunityId)}` : called;
  const filter = opportunityId ? `--opportunity-id=${shellWord(opportunityId)}` : '--limit 20';
  const list = `\`${['partner jobs list', filter, ...listServerFlags(target)].join(' ')}\``;
  const { listsJobs } = client.traits;
  const places = [listsJobs !== false && list, listsJobs !== true && "the server's dashboard"];
  return `check for ${sign} in ${places.filter(Boolean).join(' or ')}. If it isn't there, run the command again with --resend`;
}

/** Repeats only flags, because variables and the profile also apply to the next command. */
function listServerFlags(target: Connection['target']): string[] {
  const { from } = target;
  if (target.kind === 'embedded') return from.baseUrl === 'flag --local' ? ['--local'] : [];
  const isAddress = from.baseUrl === 'flag --base-url';
  return [
    ...(from.profile === 'flag --profile' ? [`--profile ${shellWord(target.profile ?? '')}`] : []),
    ...(isAddress ? [`--base-url ${shellWord(target.baseUrl)}`] : []),
    ...(isAddress && target.allowInsecure ? ['--allow-insecure'] : []),
  ];
}

export abstract class UpdateCommand extends PartnerCommand {
  /** If `isChecked`, throws VALIDATION_FAILED for an update that leaves a live job incomplete. */
  protected async update(id: number, input: JobUpdate, isChecked: boolean): Promise<Outcome> {
    const { client } = await this.connect();
    const changesFrozen = FROZEN_FIELDS.some((field) => input[field] !== undefined);
    const before = isChecked || changesFrozen ? await client.getJob(id) : undefined;
    if (isChecked && before) assertStaysComplete(before, input);
    const patch = before ? withoutUnchangedFrozen(input, before) : input;
    const job = await client.updateJob(id, patch).catch(async (error: unknown) => {
      if (!(error instanceof PartnerError) || error.code !== 'INVALID_TRANSITION') throw error;
      throw withNext(error, before ?? (await client.getJob(id).catch(() => undefined)), id, 'update');
    });
    await this.note(differenceWarnings(findDifferences({ ...input }, job), job), false);
    const touchesCaps = input.budgets !== undefined || input.bidPerQualifiedApplicantCents !== undefined;
    const hint = touchesCaps ? capWarnings(job) : undefined;
    return { json: job, text: () => jobCard(job, this.view), hint };
  }
}

export function previewUpdate(job: ServerJob, input: JobUpdate): Outcome {
  const changes = findDifferences(input, job).map(({ field, from, to }) => ({ field, from: to, to: from }));
  const name = describeJob(job);
  const would = changes.length === 0 ? `not change ${name}` : `update ${name}: ${changesOnOneLine(changes)}`;
  return { json: { dryRun: true, would, changes }, text: () => `Would ${would}\n` };
}

/** Removes unchanged frozen fields, because a server may refuse even those (decision 22). */
function withoutUnchangedFrozen(patch: JobUpdate, job: ServerJob): JobUpdate {
  if (job.isFrozen !== true) return patch;
  const changed = findDifferences(patch, job).map(({ field }) => field);
  const isKept = (field: string) => FROZEN_FIELDS.every((one) => one !== field || changed.includes(one));
  return Object.fromEntries(Object.entries(patch).filter(([field]) => isKept(field)));
}
