import { randomUUID } from 'node:crypto';
import { type Checked, checkJobInput, checkJobUpdate } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Job, JobUpdate } from '../../contract/job.ts';
import { EXPIRY } from '../../contract/lifecycle.ts';
import { assertJobFound, NO_PROBLEMS, validationFailed } from '../../contract/problems.ts';
import { getErrorCode } from '../../contract/system-errors.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { loadGateFacts } from '../companies/terms.ts';
import type { Body } from '../http/body.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { type Action, decideChanges } from '../lifecycle/decide.ts';
import { createDraft, type JobChanges, withExpiry } from '../lifecycle/job-state.ts';
import type { Call, EngineParts, Route, RouteResult } from '../parts.ts';
import { formatJobJson } from '../store/jobs.ts';
import { type Queries, settleExpiry } from '../store/store.ts';
import { toSuggestion, withPlaceProblems } from './locations.ts';
import { createQueryReader, formatPage, parseJobId, readPageQuery } from './query.ts';

export const getJob: Route = async (call, { store, clock }) => {
  const id = parseJobId(call);
  const job = assertJobFound(id, await store.read.jobs.findRow(call.companyId, id));
  return { status: call.operation.status, json: formatJobJson(job, clock()) };
};

/** Returns one page of jobs, newest first (decision 5). */
export const listJobs: Route = async (call, { store, clock }) => {
  const query = createQueryReader(call.query);
  const status = query.readChoice('status', JOB_STATUSES);
  // Job texts never contain NUL, and PostgreSQL rejects it in queries.
  const withoutNul = (text: string) => (text.includes('\0') ? undefined : text);
  const opportunityId = query.readDecoded('opportunityId', withoutNul, 'must not contain a NUL character');
  const page = readPageQuery(query);
  query.check();

  const isByTime = status !== undefined && [...EXPIRY.from, EXPIRY.to].includes(status);
  const now = isByTime ? await settleExpiry(store, clock) : clock();
  const { companyId } = call;
  const json = await formatPage(
    page,
    (batch) => store.read.jobs.listRows({ companyId, status, opportunityId, ...batch }),
    (job) => formatJobJson(job, now),
  );
  return { status: call.operation.status, json };
};

/** With `publish`, creates and publishes the job in one transaction (section 3). */
export const createJob: Route = async (call, engine) => {
  const { publish = false, ...fields } = parseFields(call.body, checkJobInput, engine);
  const changes = toStoredFields(fields, engine);
  const insert = async (queries: Queries) => {
    const draft = createDraft(call.companyId, changes);
    const facts = publish ? await loadGateFacts(queries, call.companyId) : undefined;
    const now = engine.clock();
    const published = facts && decideChanges(draft, { type: 'publish', facts }, now);
    return queries.jobs.insert({ ...draft, ...published }, now);
  };
  const created = withIdempotency(call, engine, insert, !publish);
  return created.catch((error: unknown) => refuseLostCompany(error, call, engine));
};

/** Throws INVALID_SERVICE_KEY if another process has just emptied the database. Otherwise, rethrows the error. */
async function refuseLostCompany(error: unknown, call: Call, { store }: EngineParts): Promise<never> {
  // A cached key can outlive its deleted company by up to a second.
  const isLost =
    getErrorCode(error) !== 'DATABASE_UNUSABLE' &&
    (await store.read.companies.find(call.companyId)) === undefined;
  throw isLost ? new PartnerError('INVALID_SERVICE_KEY', { message: 'invalid partner key' }) : error;
}

export const updateJob: Route = async (call, engine) => {
  // The body is checked before the job is locked, but a missing job is reported first (decision 13).
  const changes = (async () => toStoredFields(parseFields(call.body, checkJobUpdate, engine), engine))();
  // Prevents an unhandled rejection if the job is missing.
  changes.catch(() => {});
  return changeJob(call, engine, async () => ({ type: 'edit', changes: await changes }));
};

function parseFields<Fields extends JobUpdate>(
  body: Body,
  check: (value: unknown) => Checked<Fields>,
  { places }: EngineParts,
): Fields {
  const value = body.value();
  const checked = check(value);
  const { problems, more } = checked.ok ? NO_PROBLEMS : checked;
  const all = withPlaceProblems(value, problems, places);
  if (!checked.ok || all.length > 0) throw validationFailed(all, more);
  return checked.value;
}

function toStoredFields(fields: JobUpdate, { places }: EngineParts): JobChanges {
  const { locations, qualifications, questions } = fields;
  return {
    // JSON can't contain undefined, so a field that wasn't sent is absent here.
    ...(fields as JobChanges),
    ...(locations && {
      locations: locations.flatMap(({ locationId }) => {
        const place = places.byId(locationId);
        return place ? [toSuggestion(place)] : [];
      }),
    }),
    ...(qualifications && {
      qualifications: qualifications.map((entry) => ({ id: randomUUID(), ...entry })),
    }),
    ...(questions && { questions: questions.map((entry) => ({ id: randomUUID(), ...entry })) }),
  };
}

export const publishJob: Route = (call, engine) =>
  changeJob(call, engine, async (queries) => ({
    type: 'publish',
    facts: await loadGateFacts(queries, call.companyId),
  }));

export const pauseJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'pause' }));

export const resumeJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'resume' }));

export const closeJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'close' }));

function changeJob(
  call: Call,
  engine: EngineParts,
  chooseAction: (queries: Queries) => Action | Promise<Action>,
): Promise<RouteResult> {
  const id = parseJobId(call);
  return withIdempotency(call, engine, async (queries) => {
    const job = assertJobFound(id, await queries.jobs.findForChange(call.companyId, id));
    const action = await chooseAction(queries);
    const now = engine.clock();
    const changes = decideChanges(job, action, now);
    const changed: Job = { ...job, ...changes };
    if (Object.keys(changes).length > 0) await queries.jobs.replace(changed);
    return withExpiry(changed, now);
  });
}
