import { readFileSync } from 'node:fs';
import { PartnerError } from '../../contract/errors.ts';
import { withoutPassword } from '../../contract/outside-text.ts';
import { codeOf, systemError } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { replaceFile } from '../../files/own-file.ts';
import type { BulkRequest } from '../session.ts';
import { sortedKeys } from './content.ts';
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

/** What `plan --out` writes and `apply --plan` makes true: a plan with the question that it answers. */
export interface SavedPlan {
  readonly version: typeof PLAN_VERSION;
  readonly plannedAt: string;
  readonly server: string;
  readonly request: Pick<BulkRequest, (typeof SAVED)[number]>;
  readonly plan: Plan;
}

/** Writes a plan to a file, whole or not at all. Throws OUTPUT_UNWRITABLE. */
export function savePlan(file: string, plan: Plan, request: BulkRequest, server: string, now: number): void {
  const stateFile = request.stateFile && withoutPassword(request.stateFile, '').replace(':@', '@');
  const saved: SavedPlan = {
    version: PLAN_VERSION,
    plannedAt: new Date(now).toISOString(),
    server,
    // The plan has no password. It's read from the environment again.
    request: { ...savedPart(request), stateFile },
    plan,
  };
  try {
    replaceFile(file, `${JSON.stringify(saved, undefined, 2)}\n`, { replacesLink: true });
  } catch (cause) {
    const hint = 'look at its path, its permissions and the disk';
    throw systemError(cause, 'OUTPUT_UNWRITABLE', `the plan ${file} cannot be written`, hint);
  }
}

/** For `apply --plan`. Throws USAGE for paths and flags that the plan has of its own, FILE_UNREADABLE and FILE_INVALID. */
export function planToApply(file: string, given: readonly string[]): SavedPlan {
  if (given.length > 0) {
    throw new PartnerError('USAGE', {
      message: `a saved plan has its own paths and flags: leave out ${given.join(' ')}`,
      hint: `\`partner jobs apply --plan ${file}\` is all it takes`,
    });
  }
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const what = codeOf(cause) === 'ENOENT' ? `there is no plan ${file}` : `the plan ${file} cannot be read`;
    throw new PartnerError('FILE_UNREADABLE', { message: what, cause });
  }
  const saved = parsed(text);
  if (saved === undefined) throw noPlan(file, 'was not written by `partner jobs plan --out`');
  if (saved.version !== PLAN_VERSION) throw noPlan(file, 'was written by another release of partner');
  return { ...saved, request: savedPart(saved.request) };
}

function parsed(text: string): SavedPlan | undefined {
  const value = tried(() => JSON.parse(text) as SavedPlan | null);
  return value && Array.isArray(value.plan?.items) && Array.isArray(value.request?.paths) ? value : undefined;
}

function savedPart(request: SavedPlan['request']): SavedPlan['request'] {
  return Object.fromEntries(SAVED.map((name) => [name, request[name]])) as unknown as SavedPlan['request'];
}

function noPlan(file: string, what: string): PartnerError {
  return new PartnerError('FILE_INVALID', {
    message: `${file} ${what}`,
    hint: 'write one with `partner jobs plan PATH --out FILE`',
  });
}

/** Throws PLAN_OUTDATED where the calls go to another server than the plan is for. */
export function assertSameServer(saved: SavedPlan | undefined, baseUrl: string): void {
  if (saved === undefined || saved.server === baseUrl) return;
  throw new PartnerError('PLAN_OUTDATED', {
    message: `the plan was saved for ${saved.server}, and this run goes to ${baseUrl}: nothing was sent`,
    hint: 'look with `partner auth status` where calls go, or plan again for this server',
  });
}

const DIFFERENCES_SHOWN = 20;

/** Throws PLAN_OUTDATED where a saved plan is no longer what has to be done, with what differs by listing. */
export function assertSamePlan(saved: Plan, now: Plan): void {
  const differences = planDifferences(saved, now);
  if (differences.length === 0) return;
  const more = differences.length - DIFFERENCES_SHOWN;
  throw new PartnerError('PLAN_OUTDATED', {
    fields: {
      ...Object.fromEntries(differences.slice(0, DIFFERENCES_SHOWN)),
      ...(more > 0 ? { '…': `and ${more} more` } : {}),
    },
  });
}

/** What of an item has to be as it was saved, and what to say where it is not. The first explains those behind it. */
const COMPARED: readonly (readonly [keyof PlanItem, (saved: PlanItem, now: PlanItem) => string])[] = [
  ['action', (saved, now) => `was to be \`${saved.action}\`, and now \`${now.action}\``],
  ['jobId', (saved, now) => `was job ${saved.jobId ?? 'none'}, and now is job ${now.jobId ?? 'none'}`],
  ['publish', (_, { publish }) => (publish ? 'now goes live too' : 'no longer goes live')],
  ['digest', () => 'has changed in its file'],
  ['patch', (_, { patch }) => `has other changes now (${Object.keys(patch).join(', ')})`],
  ['changes', () => 'has changed on the server'],
  ['was', () => 'was moved since'],
  ['replaces', () => 'now takes the place of another job'],
  ['forget', () => 'is remembered in another way now'],
];

/** By listing key. The saved plan has gone through JSON. */
export function planDifferences(saved: Plan, now: Plan): readonly (readonly [key: string, what: string])[] {
  const items = new Map(now.items.map((item) => [item.key, item]));
  const gone = saved.items.flatMap((item) => {
    const current = items.get(item.key);
    items.delete(item.key);
    if (current === undefined) return [[item.key, 'needs nothing any more'] as const];
    const difference = COMPARED.find(([part]) => textOf(item[part]) !== textOf(current[part]));
    return difference === undefined ? [] : [[item.key, difference[1](item, current)] as const];
  });
  const added = Array.from(
    items.values(),
    ({ key, action }) => [key, `is to be \`${action}\`, which was not planned`] as const,
  );
  return [...gone, ...added];
}

function textOf(value: unknown): string {
  return JSON.stringify(sortedKeys(value));
}
