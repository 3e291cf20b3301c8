import type { ServerJob } from '../client/client.ts';
import { type Difference, differencesFromCreate } from '../contract/entries.ts';
import { errorRow, PartnerError } from '../contract/errors.ts';
import type { JobInput } from '../contract/job.ts';
import { hasMoved, notMoved } from '../contract/lifecycle.ts';
import { clipped } from '../contract/problems.ts';
import type { Connection } from './connection/connect.ts';
import { changeOnOneLine } from './terminal/job-diff.ts';
import { shellWord } from './terminal/view.ts';

/** Creates a job and records its id, for a server that lists no jobs (decision 5); `warn` is told where that fails. */
export async function createdJob(
  connection: Connection,
  input: JobInput,
  idempotencyKey: string | undefined,
  { now, warn }: { readonly now: number; readonly warn: (text: string) => Promise<void> },
): Promise<ServerJob> {
  const { client, createdJobs, target } = connection;
  const job = await client.createJob(input, { idempotencyKey }).catch((error: unknown) => {
    if (!(error instanceof PartnerError) || !error.mayHaveCreated) throw error;
    // The error of a job that was made and could not be read back names its id already.
    const namesJob = error.hint !== undefined && error.hint !== errorRow(error.code).next;
    throw namesJob ? error : error.withHint(howToFind(input, connection));
  });
  const unwritten = target.kind === 'remote' ? createdJobs.append(job.id, now) : undefined;
  if (unwritten !== undefined) await warn(`warning: ${unwritten}`);
  for (const text of differenceWarnings(differencesFromCreate(input, job), job)) await warn(text);
  return job;
}

export function differenceWarnings(differences: readonly Difference[], { id }: ServerJob): string[] {
  const changes = differences.map(({ field, from, to }) => changeOnOneLine(field, from, to)).join('; ');
  const text = `warning: the server's job ${id} differs from what was sent (sent → now): ${changes}`;
  return differences.length === 0 ? [] : [text];
}

/** Throws SERVER_FAILED for a created job that should be live and isn't. */
export function assertLive(job: ServerJob, { publish }: JobInput): void {
  if (!publish || hasMoved('publish', job.status)) return;
  const next = job.status === 'DRAFT' ? 'publish' : 'get';
  throw notMoved('publish', job.id, job.status).withHint(
    `job ${job.id} was created, so don't create it again: \`partner jobs ${next} ${job.id}\``,
  );
}

const SHOWN_CHARACTERS = 60;

function howToFind({ opportunityId, title }: JobInput, { client, target }: Connection): string {
  const called = title?.trim() ? `title ${JSON.stringify(clipped(title, SHOWN_CHARACTERS))}` : undefined;
  const signs = [opportunityId ? `opportunityId ${JSON.stringify(opportunityId)}` : undefined, called];
  if (client.traits.listsJobs === false) {
    const which = signs.filter(Boolean).join(' and ') || 'the newest job';
    return `this server lists no jobs: look in its dashboard for ${which} before you create it again`;
  }
  const filter = opportunityId ? `--opportunity-id=${shellWord(opportunityId)}` : '--limit 20';
  const command = ['partner jobs list', filter, ...placeOf(target)].join(' ');
  return `look for ${signs.find(Boolean) ?? 'it'} in \`${command}\` before you create it again`;
}

/** The flags that chose the target: variables and the profile hold for the next command too. */
function placeOf(target: Connection['target']): string[] {
  const { from } = target;
  if (target.kind === 'embedded') return from.baseUrl === 'flag --local' ? ['--local'] : [];
  const isAddress = from.baseUrl === 'flag --base-url';
  return [
    ...(from.profile === 'flag --profile' ? [`--profile ${shellWord(target.profile ?? '')}`] : []),
    ...(isAddress ? [`--base-url ${shellWord(target.baseUrl)}`] : []),
    ...(isAddress && target.allowInsecure ? ['--allow-insecure'] : []),
  ];
}
