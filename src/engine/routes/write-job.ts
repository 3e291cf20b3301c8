import { type Checked, checkJobInput, checkJobUpdate } from '../../contract/check.ts';
import type { JobUpdate } from '../../contract/job.ts';
import { NO_PROBLEMS } from '../../contract/problems.ts';
import { gateFacts } from '../companies/terms.ts';
import type { Body } from '../http/body.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { decide } from '../lifecycle/decide.ts';
import { draftOf, type JobChanges } from '../lifecycle/job-state.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { EngineParts, Route } from '../parts.ts';
import { suggestionOf, withPlaceProblems } from './locations.ts';
import { changeJob, changesOf } from './transitions.ts';

/** Creates a draft; with `publish` also publishes it, in one transaction or not at all (section 3). */
export const createJob: Route = async (call, engine) => {
  const { publish = false, ...fields } = checkedFields(call.body, checkJobInput, engine);
  const changes = storedFields(fields, engine);
  return withIdempotency(call, engine, async (queries) => {
    const draft = draftOf(call.companyId, changes);
    const facts = publish ? await gateFacts(queries, call.companyId) : undefined;
    const now = engine.clock();
    const published = facts && changesOf(decide(draft, { type: 'publish', facts }, now));
    return queries.jobs.insert({ ...draft, ...published }, now);
  });
};

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
  const { locations, qualifications, questions, ...rest } = fields;
  return {
    // A checked field that was not sent is absent: JSON knows no undefined.
    ...(rest as JobChanges),
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
