import { readFileSync } from 'node:fs';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf, reasonOf } from '../../contract/system-errors.ts';
import { replaceFile } from '../../files/own-file.ts';
import type { BulkRequest } from '../session.ts';
import type { Plan } from './plan-item.ts';

const PLAN_VERSION = 1;

/** What `plan --out` writes and `apply --plan` makes true: a plan with the question that it answers. */
export interface SavedPlan {
  readonly version: typeof PLAN_VERSION;
  /** ISO 8601. */
  readonly plannedAt: string;
  /** The API's root. */
  readonly server: string;
  readonly request: Pick<
    BulkRequest,
    'paths' | 'stateFile' | 'publish' | 'noCheck' | 'plan' | 'rebuild' | 'createAnyway' | 'keepGoing'
  >;
  readonly plan: Plan;
}

/** Writes a plan to a file, whole or not at all. Throws OUTPUT_UNWRITABLE. */
export function savePlan(file: string, plan: Plan, request: BulkRequest, server: string, now: number): void {
  const { paths, stateFile, publish, noCheck, plan: options, rebuild, createAnyway, keepGoing } = request;
  const saved: SavedPlan = {
    version: PLAN_VERSION,
    plannedAt: new Date(now).toISOString(),
    server,
    request: { paths, stateFile, publish, noCheck, plan: options, rebuild, createAnyway, keepGoing },
    plan,
  };
  try {
    replaceFile(file, `${JSON.stringify(saved, undefined, 2)}\n`, { replacesLink: true });
  } catch (cause) {
    throw new PartnerError('OUTPUT_UNWRITABLE', {
      message: `the plan ${file} cannot be written: ${reasonOf(cause)}`,
      hint: 'look at its path, its permissions and the disk',
      cause,
    });
  }
}

/**
 * The plan that `apply --plan` is to make true. Throws USAGE where something is given too that a plan was made with,
 * paths or flags, and what reading throws.
 */
export function planToApply(file: string, given: readonly string[]): SavedPlan {
  if (given.length === 0) return readSavedPlan(file);
  throw new PartnerError('USAGE', {
    message: `a saved plan has its own paths and flags: leave out ${given.join(' ')}`,
    hint: `\`partner jobs apply --plan ${file}\` is all it takes`,
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

/** The plan in a file. Throws FILE_UNREADABLE, and FILE_INVALID where it is none that this version wrote. */
function readSavedPlan(file: string): SavedPlan {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const what = codeOf(cause) === 'ENOENT' ? `there is no plan ${file}` : `the plan ${file} cannot be read`;
    throw new PartnerError('FILE_UNREADABLE', { message: what, cause });
  }
  const saved = parsed(text);
  if (saved === undefined) throw noPlan(file, 'is none that `partner jobs plan --out` has written');
  if (saved.version !== PLAN_VERSION) throw noPlan(file, 'was written by another release of partner');
  return saved;
}

function parsed(text: string): SavedPlan | undefined {
  try {
    const value = JSON.parse(text) as Partial<SavedPlan> | null;
    const isPlan = Array.isArray(value?.plan?.items) && Array.isArray(value?.request?.paths);
    return isPlan ? ofThisForm(value as SavedPlan) : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing but what `savePlan` writes: what else a run is asked is for its command line. */
function ofThisForm(saved: SavedPlan): SavedPlan {
  const { paths, stateFile, publish, noCheck, plan, rebuild, createAnyway, keepGoing } = saved.request;
  return {
    ...saved,
    request: { paths, stateFile, publish, noCheck, plan, rebuild, createAnyway, keepGoing },
  };
}

function noPlan(file: string, what: string): PartnerError {
  return new PartnerError('FILE_INVALID', {
    message: `${file} ${what}`,
    hint: 'write one with `partner jobs plan PATH --out FILE`',
  });
}
