import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { entryAfterCreate } from '../../bulk/plan/entry-after.ts';
import { foldJournal } from '../../bulk/state/journal-content.ts';
import { emptyState, listKnownJobs } from '../../bulk/state/state.ts';
import { keyPath } from '../../bulk/state/state-file.ts';
import { changeState, openStateStore } from '../../bulk/state/state-store.ts';
import type { Connection } from '../../cli/connection/connect.ts';
import { toJobInput } from '../../cli/job-input.ts';
import { readStateSettings } from '../../cli/settings/target.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { cleanBlock, jsonText } from '../../cli/terminal/view.ts';
import { moment, oneLine } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/client.ts';
import { newIdempotencyKey } from '../../client/retry.ts';
import { PartnerError } from '../../contract/errors.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT, type JobInput } from '../../contract/job.ts';
import { hasEnded } from '../../contract/lifecycle.ts';
import { inPool } from '../../contract/promises.ts';
import { attemptWrite } from '../../contract/system-errors.ts';
import type { JobStatus } from '../../contract/values.ts';
import { replaceFile } from '../../files/own-file.ts';
import { fileNames } from '../../import/file-names.ts';
import { listingFiles } from '../../import/listing-files.ts';
import type { ImportFormat } from '../../import/listing-text.ts';
import { writeListing } from '../../listings/write/write.ts';
import { isHidden } from '../../listings/write/yaml.ts';
import { sourceJson } from '../../reports/run.ts';
import { listGaps } from './job-checks.ts';
import { loadListedJobs } from './listed-jobs.ts';

const READS_AT_ONCE = 8;

/** Without IDs or a status, jobs that have ended are only counted, because they can't change again. */
export async function loadJobsToExport(connection: Connection, ids: readonly number[], status?: JobStatus) {
  const { jobs: found, ...source } =
    ids.length > 0
      ? { jobs: ids.map((id): ServerJob => ({ id })), ...sourceJson(true) }
      : await loadListedJobs(connection, { status }, Number.POSITIVE_INFINITY);
  const jobs: ServerJob[] = [];
  let ended = 0;
  for await (const job of found) {
    if (status === undefined && hasEnded(job.status)) ended++;
    else jobs.push(job);
  }
  await inPool([...jobs.entries()], READS_AT_ONCE, async ([at, job]) => {
    // A list may omit fields, which would be missing in the file.
    const isPart = CONTENT_FIELDS.some((field) => job[field] === undefined);
    if (isPart) jobs[at] = await connection.client.getJob(job.id);
  });
  const meant = jobs.filter((job) => status === undefined || job.status === status);
  return { jobs: meant.sort((a, b) => a.id - b.id), ended, ...source };
}

interface ExportRequest {
  readonly format: ImportFormat;
  readonly stateFlag: string | undefined;
  /** Fields that the directory's defaults set. */
  readonly shared: Readonly<Record<string, unknown>>;
}

/**
 * Writes a file for each job that the state doesn't list, and adds it to the state. If it stops early, another export
 * continues. Throws OUTPUT_UNWRITABLE, STATE_UNUSABLE, OUTCOME_UNKNOWN and INTERRUPTED.
 */
export async function exportJobs(
  jobs: readonly ServerJob[],
  out: string,
  { format, shared, stateFlag: given }: ExportRequest,
  server: Connection,
  { clock, env, interrupted }: CliContext,
) {
  const { baseUrl } = server;
  const files = listingFiles(out);
  attemptWrite(out, () => mkdirSync(out, { recursive: true }));
  const store = openStateStore({ ...readStateSettings(given, env), root: out, cwd: process.cwd() });
  const before = (await store.readState()) ?? emptyState(baseUrl);
  if (before.server !== baseUrl) {
    const message = `${store.name} lists jobs on ${before.server}, but this run uses ${baseUrl}`;
    const hint = 'use a separate directory, or --state FILE, for each server';
    throw new PartnerError('STATE_UNUSABLE', { message, hint });
  }
  const change = { store, server, known: before, isLocking: true };
  const newId = () => newIdempotencyKey(clock());
  const context = { clock, command: 'partner jobs export', interrupted, newId };
  return changeState(change, context, async (journal, saved) => {
    if (journal.content.pending.size > 0) {
      const message = `${store.name} has creates with an unknown result. Nothing was exported`;
      const hint = `resolve them first with \`partner jobs apply ${out}\``;
      throw new PartnerError('OUTCOME_UNKNOWN', { message, hint });
    }
    const state = foldJournal(saved, journal.content);
    const known = listKnownJobs(state);
    const linked = new Set(state.listings.keys());
    const nameFile = fileNames(files.names);
    const exported: { id: number; status: string | undefined; file: string }[] = [];
    for (const job of jobs) {
      if (known.has(job.id)) continue;
      if (interrupted.aborted) throw new PartnerError('INTERRUPTED');
      const input = toListing(job, shared);
      const comment = describeExported(job);
      const text = format === 'json' ? jsonText(input) : String(await writeListing(input, format, comment));
      const findKey = (name: string) => keyPath(store.base, join(out, name));
      // A killed export may have written this file without adding it to the state.
      const isOwn = (name: string): boolean => {
        const found = files.names.has(name) && !linked.has(findKey(name)) ? files.read(name) : undefined;
        return found !== undefined && 'text' in found && found.text === text;
      };
      const title = [job.title, job.locations?.[0]?.city].filter(Boolean).join(' ');
      const name = nameFile(title, String(job.id), format, isOwn);
      const file = join(out, name);
      attemptWrite(file, () => replaceFile(file, text));
      linked.add(findKey(name));
      const { publish: _, ...content } = input;
      journal.record({ kind: 'entry', key: findKey(name), entry: entryAfterCreate(content, job) });
      exported.push({ id: job.id, status: job.status, file });
    }
    return { exported, skipped: jobs.length - exported.length };
  });
}

/** Publishing is part of the desired state only if the job is live and passes the completeness check. */
function toListing(job: ServerJob, shared: ExportRequest['shared']): JobInput {
  const emptied = CONTENT_FIELDS.filter((field) => Object.hasOwn(shared, field));
  const isLive = job.status === 'ACTIVE' && listGaps(job).length === 0;
  return {
    ...Object.fromEntries(emptied.map((field) => [field, EMPTY_CONTENT[field]])),
    ...toJobInput(job),
    ...(isLive || shared.publish !== undefined ? { publish: isLive } : {}),
  };
}

function describeExported({ id, status, publishedAt, expiresAt }: ServerJob): string {
  const [published, expires] = [moment(publishedAt), moment(expiresAt)];
  const facts = [oneLine(status), published && `published ${published}`, expires && `expires ${expires}`];
  return `Exported from job ${id} (${facts.filter(Boolean).join(', ')})`;
}

/** Removes invisible characters, because CSV can't escape them as JSON and YAML do. */
export function withoutHidden(input: JobInput): JobInput {
  return JSON.parse(JSON.stringify(input), (_, value) =>
    typeof value === 'string' && isHidden(value) ? cleanBlock(value) : value,
  );
}
