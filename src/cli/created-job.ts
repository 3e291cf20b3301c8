import type { ServerJob } from '../client/client.ts';
import { errorRow, PartnerError } from '../contract/errors.ts';
import type { JobInput } from '../contract/job.ts';
import { clipped } from '../contract/problems.ts';
import type { Connection } from './connection/connection.ts';
import { shellWord } from './terminal/shell-word.ts';

/**
 * Creates a job and writes its id down, so that it is found again where a server lists none (decision 5).
 * `warn` gets a warning when that could not be written: the job exists all the same. An error after which the job may exist
 * says how to find it.
 */
export async function createdJob(
  connection: Connection,
  input: JobInput,
  idempotencyKey: string | undefined,
  { now, warn }: { readonly now: number; readonly warn: (text: string) => Promise<void> },
): Promise<ServerJob> {
  const { client, createdJobs, target } = connection;
  const job = await client.createJob(input, { idempotencyKey }).catch((error: unknown) => {
    if (!(error instanceof PartnerError) || !error.mayHaveCreated) throw error;
    // A job that was made and only not read back has said its id.
    const isTold = error.hint !== undefined && error.hint !== errorRow(error.code).next;
    throw isTold ? error : error.withHint(howToFind(input, connection));
  });
  const unwritten = target.kind === 'remote' ? createdJobs.append(job.id, now) : undefined;
  if (unwritten !== undefined) await warn(unwritten);
  return job;
}

const SHOWN_CHARACTERS = 60;

/** How to find out whether a create was carried out: the command, or what to look for where the server lists no jobs. */
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

/** The flags that said where the call went: what a variable or the profile says holds for the next one too. */
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
