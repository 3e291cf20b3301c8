import { type Checked, checkJobInput, checkJobUpdate } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Job, JobUpdate } from '../../contract/job.ts';
import { EXPIRY } from '../../contract/lifecycle.ts';
import { NO_PROBLEMS } from '../../contract/problems.ts';
import { codeOf } from '../../contract/system-errors.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { gateFacts } from '../companies/terms.ts';
import type { Body } from '../http/body.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { type Action, decide } from '../lifecycle/decide.ts';
import { draftOf, type JobChanges, jobAt } from '../lifecycle/job-state.ts';
import { foundJob, validationFailed } from '../lifecycle/refusals.ts';
import type { Call, EngineParts, Route, RouteResult } from '../parts.ts';
import { settleExpiry } from '../store/expiry.ts';
import { jobJson } from '../store/jobs.ts';
import type { Queries } from '../store/store.ts';
import { suggestionOf, withPlaceProblems } from './locations.ts';
import { pageJson, pageQuery } from './page.ts';
import { jobIdOf, queryReader } from './query.ts';

export const getJob: Route = async (call, { store, clock }) => {
  const id = jobIdOf(call);
  const job = foundJob(id, await store.read.jobs.findStored(call.companyId, id));
  return { status: call.operation.status, json: jobJson(jobAt(job, clock())) };
};

/** Decision 5: the jobs of the company, newest first, a page at a time. */
export const listJobs: Route = async (call, { store, clock }) => {
  const query = queryReader(call.query);
  const status = query.oneOf('status', JOB_STATUSES);
  // No job's text holds a NUL, and PostgreSQL refuses to look for one.
  const withoutNul = (text: string) => (text.includes('\0') ? undefined : text);
  const opportunityId = query.decoded('opportunityId', withoutNul, 'holds a NUL character; remove it');
  const page = pageQuery(query);
  query.check();

  const isByTime = status !== undefined && [...EXPIRY.from, EXPIRY.to].includes(status);
  const now = isByTime ? await settleExpiry(store, clock) : clock();
  const { companyId } = call;
  const json = await pageJson(
    page,
    (batch) => store.read.jobs.listStored({ companyId, status, opportunityId, ...batch }),
    (job) => jobJson(jobAt(job, now)),
  );
  return { status: call.operation.status, json };
};

/** Creates a draft; with `publish` also publishes it, in one transaction or not at all (section 3). */
export const createJob: Route = async (call, engine) => {
  const { publish = false, ...fields } = checkedFields(call.body, checkJobInput, engine);
  const changes = storedFields(fields, engine);
  const created = withIdempotency(call, engine, async (queries) => {
    const draft = draftOf(call.companyId, changes);
    const facts = publish ? await gateFacts(queries, call.companyId) : undefined;
    const now = engine.clock();
    const published = facts && decide(draft, { type: 'publish', facts }, now);
    return queries.jobs.insert({ ...draft, ...published }, now);
  });
  return created.catch((error: unknown) => refuseLostCompany(error, call, engine));
};

/** Throws INVALID_SERVICE_KEY where another process has just emptied the database, or else the error. */
async function refuseLostCompany(error: unknown, call: Call, { store }: EngineParts): Promise<never> {
  // A key is remembered for a second longer than its company, which no job or stored answer can be without.
  const isLost =
    codeOf(error) !== 'DATABASE_UNUSABLE' && (await store.read.companies.find(call.companyId)) === undefined;
  throw isLost ? new PartnerError('INVALID_SERVICE_KEY', { message: 'the partner key is unknown' }) : error;
}

export const updateJob: Route = async (call, engine) => {
  // Checked before the job is locked, but a missing job is answered first (decision 13).
  let changes: JobChanges = {};
  let fault: unknown;
  try {
    changes = storedFields(checkedFields(call.body, checkJobUpdate, engine), engine);
  } catch (error) {
    fault = error;
  }
  return changeJob(call, engine, () => {
    if (fault !== undefined) throw fault;
    return { type: 'edit', changes };
  });
};

function checkedFields<Fields extends JobUpdate>(
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

function storedFields(fields: JobUpdate, { places, newId }: EngineParts): JobChanges {
  const { locations, qualifications, questions } = fields;
  return {
    // A checked field that was not sent is absent: JSON knows no undefined. The rest is not copied: that takes long.
    ...(fields as JobChanges),
    ...(locations && {
      locations: locations.flatMap(({ locationId }) => {
        const place = places.byId(locationId);
        return place ? [suggestionOf(place)] : [];
      }),
    }),
    ...(qualifications && { qualifications: qualifications.map((entry) => ({ id: newId(), ...entry })) }),
    ...(questions && { questions: questions.map((entry) => ({ id: newId(), ...entry })) }),
  };
}

export const publishJob: Route = (call, engine) =>
  changeJob(call, engine, async (queries) => ({
    type: 'publish',
    facts: await gateFacts(queries, call.companyId),
  }));

export const pauseJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'pause' }));

export const resumeJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'resume' }));

export const closeJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'close' }));

/** Loads the job, decides what the action does to it now, and commits that. Throws the refusal. */
function changeJob(
  call: Call,
  engine: EngineParts,
  actionOf: (queries: Queries) => Action | Promise<Action>,
): Promise<RouteResult> {
  const id = jobIdOf(call);
  return withIdempotency(call, engine, async (queries) => {
    const job = foundJob(id, await queries.jobs.findForChange(call.companyId, id));
    const action = await actionOf(queries);
    const now = engine.clock();
    const changes = decide(job, action, now);
    const changed: Job = { ...job, ...changes };
    if (Object.keys(changes).length > 0) await queries.jobs.replace(changed);
    return jobAt(changed, now);
  });
}
