import { randomUUID } from 'node:crypto';
import { decodeCreated, decodeFoundJob } from '../../client/decode.ts';
import type { Answer } from '../../client/exchange.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { isRouteMissing } from '../../client/traits.ts';
import { PartnerError } from '../../contract/errors.ts';
import { OPERATIONS, TRANSITIONS } from '../../contract/operations.ts';
import type { Look } from './checks.ts';
import type { Examination } from './examination.ts';
import { describeJobForm, describeStatus, findTemporaryFailure } from './read-checks.ts';

const DRAFT_TITLE = 'Test draft of partner doctor, please ignore';

const DRAFT = {
  title: DRAFT_TITLE,
  opportunityId: 'partner-doctor',
  qualifications: [{ text: 'Test', kind: 'REQUIRED', order: 1 }],
};

export function draftNotice(baseUrl: string): string {
  return `This creates a draft at ${baseUrl}, “${DRAFT_TITLE}”. Drafts can't be deleted or closed. Only your company sees them.`;
}

export function describeLeftDraft(id: number): string {
  return `Ignore draft ${id}, “${DRAFT_TITLE}”. It can't be deleted.`;
}

/** Returns the IDs of the test drafts. They can't be removed. */
export async function writeChecks(on: Examination): Promise<number[]> {
  on.beginPart();
  const idempotencyKey = randomUUID();
  const drafts: number[] = [];
  const create = () => on.ask({ method: 'POST', path: '/jobs', body: DRAFT, idempotencyKey });
  const isMade = await on.look('Create', async () => {
    const made = await create().catch(hintThatItMayExist);
    if (made.status >= 300) return { found: `the draft was rejected: ${describeStatus(made)}`, exit: 1 };
    const isBodyless = typeof decodeCreated(made) === 'number';
    drafts.push(decodeId(made));
    return { found: `${describeStatus(made)}${isBodyless ? ', with the ID in the Location header' : ''}` };
  });
  const [id] = drafts;
  if (!isMade || id === undefined) return drafts;
  await on.look('Repeated key', async () => checkIdempotency(on, await create(), drafts));
  await on.look('Read', async () => ({ found: describeJobForm(await jobNow(on, id)) }));
  await on.look('Clear with null', () =>
    clearField(on, id, { opportunityId: null }, ({ opportunityId }) => opportunityId == null),
  );
  await on.look('Clear with []', () =>
    clearField(on, id, { qualifications: [] }, ({ qualifications }) => String(qualifications ?? '') === ''),
  );
  for (const [name, transition, trait] of [
    ['Pause', 'pause', 'pausesJobs'],
    ['Resume', 'resume', 'resumesJobs'],
  ] as const) {
    const path = OPERATIONS[TRANSITIONS[transition]].path.replace('{id}', String(id));
    await on.look(name, async () => {
      const answer = await on.askOptional({ method: 'POST', path });
      const isOffered = isTransitionOffered(answer);
      if (isOffered === undefined)
        return findTemporaryFailure(answer) ?? { found: `can't be determined: ${describeStatus(answer)}` };
      on.learnAnswer(trait, isOffered);
      return {
        found: `${isOffered ? '' : 'not '}supported: the response for a draft is ${describeStatus(answer)}`,
      };
    });
  }
  return drafts;
}

function hintThatItMayExist(error: unknown): never {
  const hint = 'the draft may have been created. Ignore it';
  throw error instanceof PartnerError ? error.with({ hint }) : error;
}

function checkIdempotency(on: Examination, again: Answer, drafts: number[]): Look {
  const [id] = drafts;
  const unclear = findTemporaryFailure(again);
  if (unclear !== undefined) return unclear;
  if (again.status >= 300) {
    on.learn({ honoursIdempotencyKeys: false, honoursKeysUnannounced: false });
    return { found: `rejected (${describeStatus(again)}): creates without a response aren't retried` };
  }
  const second = decodeId(again);
  const isSame = second === id;
  if (!isSame) drafts.push(second);
  const isAnnounced = again.headers.has('idempotency-status');
  on.learn({ honoursIdempotencyKeys: isSame, honoursKeysUnannounced: isSame && !isAnnounced });
  if (!isSame)
    return { found: `created a second draft, ${second}: creates without a response aren't retried` };
  return {
    found: `the same job${isAnnounced ? '' : ' without an Idempotency-Status header'}: creates without a response are retried`,
  };
}

function decodeId(made: Answer): number {
  const job = decodeCreated(made);
  return typeof job === 'number' ? job : job.id;
}

async function jobNow(on: Examination, id: number): Promise<ServerJob> {
  return decodeFoundJob(await on.ask({ method: 'GET', path: `/jobs/${id}` }));
}

async function clearField(on: Examination, id: number, body: object, isEmpty: (job: ServerJob) => boolean) {
  const answer = await on.ask({ method: 'PATCH', path: `/jobs/${id}`, body });
  if (answer.status >= 300) return findTemporaryFailure(answer) ?? { found: `no: ${describeStatus(answer)}` };
  return {
    found: `${isEmpty(await jobNow(on, id)) ? 'yes' : 'no, the value remains'}: ${describeStatus(answer)}`,
  };
}

/** The job was just read, so a 404 means that the server doesn't offer the transition. */
function isTransitionOffered({ status, text }: Answer): boolean | undefined {
  if (status === 409 || text.includes('INVALID_TRANSITION') || status < 300) return true;
  return isRouteMissing(status) ? false : undefined;
}
