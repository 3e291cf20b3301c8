import { readFileSync } from 'node:fs';
import { clipFields, PartnerError } from '../../contract/errors.ts';
import { attempt, attemptWrite, getErrorCode } from '../../contract/system-errors.ts';
import { replaceFile } from '../../files/own-file.ts';
import { withoutPassword } from '../../text/outside-text.ts';
import type { BulkRequest } from '../session.ts';
import { sortKeys } from './content.ts';
import { nameListing } from './desired-listing.ts';
import type { Plan, PlanItem } from './plan-item.ts';

const PLAN_VERSION = 1;

const SAVED = [
  'paths',
  'reading',
  'stateFile',
  'publish',
  'noCheck',
  'plan',
  'rebuild',
  'keepGoing',
] as const satisfies readonly (keyof BulkRequest)[];

export interface SavedPlan {
  readonly version: typeof PLAN_VERSION;
  readonly plannedAt: string;
  readonly server: string;
  readonly request: Pick<BulkRequest, (typeof SAVED)[number]>;
  readonly plan: Plan;
}

/** Writes a plan to a file atomically. Throws OUTPUT_UNWRITABLE. */
export function savePlan(file: string, plan: Plan, request: BulkRequest, server: string, now: number): void {
  const stateFile = request.stateFile && withoutPassword(request.stateFile, '').replace(':@', '@');
  const saved: SavedPlan = {
    version: PLAN_VERSION,
    plannedAt: new Date(now).toISOString(),
    server,
    // A plan file contains no password. `apply` reads it from the environment again.
    request: { ...pickSavedFields(request), stateFile },
    plan,
  };
  const text = `${JSON.stringify(saved, undefined, 2)}\n`;
  const hint = 'check the path, its permissions and the disk space';
  attemptWrite(`the plan ${file}`, () => replaceFile(file, text, { replacesLink: true }), hint);
}

/** Reads a plan for `apply --plan`. Throws USAGE if `given` has other arguments, FILE_UNREADABLE and FILE_INVALID. */
export function planToApply(file: string, given: readonly string[]): SavedPlan {
  if (given.length > 0) {
    throw new PartnerError('USAGE', {
      message: `a saved plan can't be combined with ${given.join(' ')}: it has its own paths and flags`,
      hint: `run \`partner jobs apply --plan ${file}\` without them`,
    });
  }
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const what = getErrorCode(cause) === 'ENOENT' ? `no such plan: ${file}` : `can't read the plan ${file}`;
    throw new PartnerError('FILE_UNREADABLE', { message: what, cause });
  }
  const saved = attempt(() => JSON.parse(text) as SavedPlan | null);
  if (!saved || !Array.isArray(saved.plan?.items) || !Array.isArray(saved.request?.paths))
    throw noPlan(file, "wasn't written by `partner jobs plan --out`");
  if (saved.version !== PLAN_VERSION) throw noPlan(file, 'was written by another release of partner');
  return { ...saved, request: pickSavedFields(saved.request) };
}

function pickSavedFields(request: SavedPlan['request']): SavedPlan['request'] {
  return Object.fromEntries(SAVED.map((name) => [name, request[name]])) as unknown as SavedPlan['request'];
}

function noPlan(file: string, what: string): PartnerError {
  return new PartnerError('FILE_INVALID', {
    message: `${file} ${what}`,
    hint: 'save a new one with `partner jobs plan PATH --out FILE`',
  });
}

/** Throws PLAN_OUTDATED if requests would go to a different server. */
export function assertSameServer(saved: SavedPlan | undefined, baseUrl: string): void {
  if (saved === undefined || saved.server === baseUrl) return;
  throw new PartnerError('PLAN_OUTDATED', {
    message: `the plan was saved for ${saved.server}, but this run uses ${baseUrl}. Nothing was sent`,
    hint: 'check the current server with `partner auth status`, or plan again for this server',
  });
}

const DIFFERENCES_SHOWN = 20;

/** Throws PLAN_OUTDATED with differences by listing if the saved plan differs from the current one. */
export function assertSamePlan(saved: Plan, now: Plan): void {
  const differences = planDifferences(saved, now);
  if (differences.length === 0) return;
  throw new PartnerError('PLAN_OUTDATED', { fields: clipFields(differences, DIFFERENCES_SHOWN) });
}

const COMPARED: readonly (readonly [keyof PlanItem, (saved: PlanItem, now: PlanItem) => string])[] = [
  ['action', (saved, now) => `was planned as \`${saved.action}\`, but is now \`${now.action}\``],
  ['jobId', (saved, now) => `was job ${saved.jobId ?? 'none'}, but is now job ${now.jobId ?? 'none'}`],
  ['publish', (_, { publish }) => (publish ? 'would now also be published' : 'would no longer be published')],
  ['digest', () => 'changed in its file'],
  ['patch', (_, { patch }) => `has different changes now (${Object.keys(patch).join(', ')})`],
  ['changes', () => 'changed on the server'],
  ['was', () => 'was moved'],
  ['replaces', () => 'now replaces another job'],
  ['forget', () => 'changed in the state'],
];

export function planDifferences(saved: Plan, now: Plan): readonly (readonly [key: string, what: string])[] {
  const items = new Map(now.items.map((item) => [item.key, item]));
  const gone = saved.items.flatMap((item) => {
    const current = items.get(item.key);
    items.delete(item.key);
    if (current === undefined) return [[nameListing(item), 'no longer needs changes'] as const];
    const difference = COMPARED.find(
      ([part]) => formatCanonical(item[part]) !== formatCanonical(current[part]),
    );
    return difference === undefined ? [] : [[nameListing(item), difference[1](item, current)] as const];
  });
  const added = Array.from(
    items.values(),
    (item) => [nameListing(item), `needs \`${item.action}\`, which wasn't planned`] as const,
  );
  return [...gone, ...added];
}

function formatCanonical(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}
