import { hash } from 'node:crypto';
import type { ServerJob } from '../client/client.ts';
import { newIdempotencyKey } from '../client/retry.ts';
import { type Difference, differencesFromCreate } from '../contract/entries.ts';
import { CONTENT_REFUSALS, errorRow, PartnerError } from '../contract/errors.ts';
import type { JobInput } from '../contract/job.ts';
import { hasMoved, notMoved } from '../contract/lifecycle.ts';
import { clipped } from '../contract/problems.ts';
import { tried } from '../contract/tried.ts';
import type { Connection } from './connection/connect.ts';
import { changeOnOneLine } from './terminal/job-diff.ts';
import { shellWord } from './terminal/view.ts';

interface CreateOptions {
  readonly now: number;
  readonly warn: (text: string) => Promise<void>;
  readonly resend?: boolean | undefined;
}

/** Creates a job and records its ID, for servers that can't list jobs (decision 5). Calls `warn` if that fails. */
export async function createdJob(
  connection: Connection,
  input: JobInput,
  givenKey: string | undefined,
  { now, warn, resend = false }: CreateOptions,
): Promise<ServerJob> {
  const { client, createdJobs, target, keyDigest } = connection;
  const content = hash('sha256', keyDigest + JSON.stringify(input), 'base64url');
  const before = target.kind === 'remote' ? tried(() => createdJobs.unanswered(content)) : undefined;
  if (before !== undefined && givenKey === undefined && !resend) {
    throw new PartnerError('OUTCOME_UNKNOWN', {
      message: `the same job was sent at ${before.at}, and the server never answered: it may exist. Nothing was sent`,
      hint: howToFind(input, connection),
    });
  }
  const idempotencyKey = givenKey ?? before?.idempotencyKey ?? newIdempotencyKey(now);
  const keep = (jobId?: number) =>
    target.kind === 'remote' ? createdJobs.append(jobId, now, { content, idempotencyKey }) : undefined;
  const job = await client.createJob(input, { idempotencyKey }).catch((error: unknown) => {
    if (!(error instanceof PartnerError)) throw error;
    const { code, message, hint, mayHaveCreated } = error;
    if (input.publish && !mayHaveCreated && CONTENT_REFUSALS.includes(code))
      throw error.with({ message: `nothing was created: ${message}` });
    // The error of a job that was made and could not be read back names its id already.
    if (!mayHaveCreated || (hint !== undefined && hint !== errorRow(code).next)) throw error;
    keep();
    throw error.with({ hint: howToFind(input, connection) });
  });
  const unwritten = keep(job.id);
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
  const next =
    job.status === 'DRAFT' ? 'publish it with `partner jobs publish' : 'check it with `partner jobs get';
  const hint = `job ${job.id} was created, so don't create it again: ${next} ${job.id}\``;
  throw notMoved('publish', job.id, job.status).with({ hint });
}

const SHOWN_CHARACTERS = 60;

function howToFind({ opportunityId, title }: JobInput, { client, target }: Connection): string {
  const called = title?.trim() ? `title ${JSON.stringify(clipped(title, SHOWN_CHARACTERS))}` : undefined;
  const signs = [opportunityId ? `opportunityId ${JSON.stringify(opportunityId)}` : undefined, called];
  const sign = signs.find(Boolean) ?? 'the newest job';
  const filter = opportunityId ? `--opportunity-id=${shellWord(opportunityId)}` : '--limit 20';
  const list = `\`${['partner jobs list', filter, ...placeOf(target)].join(' ')}\``;
  const { listsJobs } = client.traits;
  const places = [listsJobs !== false && list, listsJobs !== true && "the server's dashboard"].filter(
    Boolean,
  );
  return `look for ${sign} in ${places.join(' or ')}. If it isn't there, run the command again with --resend`;
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
