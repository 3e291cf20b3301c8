import { type Checked, checkJobInput, checkJobUpdate } from '../../contract/check.ts';
import type { JobUpdate } from '../../contract/job.ts';
import type { Places } from '../../contract/places.ts';
import { NO_PROBLEMS } from '../../contract/problems.ts';
import type { Body } from '../http/body.ts';
import type { JobChanges } from '../lifecycle/job-state.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { EngineParts } from '../parts.ts';
import { suggestionOf, withPlaceProblems } from './job-places.ts';

/** The fields of a create, ready to be stored, and whether to publish; throws what is wrong with the body. */
export function createInput(body: Body, engine: EngineParts): { changes: JobChanges; publish: boolean } {
  const { publish = false, ...fields } = checkedFields(body, checkJobInput, engine.places);
  return { changes: changesOf(fields, engine), publish };
}

/** The fields of an update, ready to be stored; throws what is wrong with the body. */
export function updateInput(body: Body, engine: EngineParts): JobChanges {
  return changesOf(checkedFields(body, checkJobUpdate, engine.places), engine);
}

function checkedFields<Fields extends JobUpdate>(
  body: Body,
  check: (value: unknown) => Checked<Fields>,
  places: Places,
): Fields {
  const value = body.value();
  const checked = check(value);
  const { problems, more } = checked.ok ? NO_PROBLEMS : checked;
  const all = withPlaceProblems(value, problems, places);
  if (!checked.ok || all.length > 0) throw validationFailed(all, more);
  return checked.value;
}

/** Places become the canonical ones, and each entry of a set gets an id. */
function changesOf(fields: JobUpdate, { places, newId }: EngineParts): JobChanges {
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
