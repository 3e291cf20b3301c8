import { randomUUID } from 'node:crypto';
import { decodeCreated, decodeFoundJob } from '../../client/decode.ts';
import type { Answer } from '../../client/exchange.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { isRouteMissing } from '../../client/traits.ts';
import { PartnerError } from '../../contract/errors.ts';
import { OPERATIONS, TRANSITIONS } from '../../contract/operations.ts';
import type { Look } from './checks.ts';
import type { Examination } from './examination.ts';
import { described, formOf, undetermined } from './read-checks.ts';

const DRAFT_TITLE = 'Test draft of partner doctor, please ignore';

const DRAFT = {
  title: DRAFT_TITLE,
  opportunityId: 'partner-doctor',
  qualifications: [{ text: 'Test', kind: 'REQUIRED', order: 1 }],
};

export function draftNotice(baseUrl: string): string {
  return `This makes a draft at ${baseUrl}, “${DRAFT_TITLE}”. A draft cannot be removed or closed; only your company sees it.`;
}

export function leftDraftNote(id: number): string {
  return `draft ${id}, “${DRAFT_TITLE}”, stays and is to be ignored`;
}

/** Looks at what only a draft can tell; gives the ids of the drafts that were made for it, which stay. */
export async function writeChecks(on: Examination): Promise<number[]> {
  on.beginPart();
  const idempotencyKey = randomUUID();
  const drafts: number[] = [];
  const create = () => on.ask({ method: 'POST', path: '/jobs', body: DRAFT, idempotencyKey });
  const isMade = await on.look('Create', async () => {
    const made = await create().catch(hintThatItMayExist);
    if (made.status >= 300) return { found: `the draft was refused: ${described(made)}`, exit: 1 };
    const isBodyless = typeof decodeCreated(made) === 'number';
    drafts.push(idOf(made));
    return { found: `${described(made)}${isBodyless ? ', the id in the Location header' : ''}` };
  });
  const [id] = drafts;
  if (!isMade || id === undefined) return drafts;
  await on.look('Same key again', async () => idempotencyOf(on, await create(), drafts));
  await on.look('Read', async () => ({ found: formOf(await jobNow(on, id)) }));
  await on.look('Null empties', () =>
    cleared(on, id, { opportunityId: null }, ({ opportunityId }) => opportunityId == null),
  );
  await on.look('[] empties', () =>
    cleared(on, id, { qualifications: [] }, ({ qualifications }) => String(qualifications ?? '') === ''),
  );
  for (const [name, transition, trait] of [
    ['Pause', 'pause', 'pausesJobs'],
    ['Resume', 'resume', 'resumesJobs'],
  ] as const) {
    const path = OPERATIONS[TRANSITIONS[transition]].path.replace('{id}', String(id));
    await on.look(name, async () => {
      const answer = await on.askOptional({ method: 'POST', path });
      const isOffered = offered(answer);
      if (isOffered === undefined)
        return undetermined(answer) ?? { found: `cannot be told: ${described(answer)}` };
      on.learnAnswer(trait, isOffered);
      return { found: `${isOffered ? '' : 'not '}offered: a draft is answered ${described(answer)}` };
    });
  }
  return drafts;
}

function hintThatItMayExist(error: unknown): never {
  const hint = 'the draft may exist all the same: ignore it';
  throw error instanceof PartnerError ? error.with({ hint }) : error;
}

function idempotencyOf(on: Examination, again: Answer, drafts: number[]): Look {
  const [id] = drafts;
  const unclear = undetermined(again);
  if (unclear !== undefined) return unclear;
  if (again.status >= 300) {
    on.learn({ honoursIdempotencyKeys: false, honoursKeysUnannounced: false });
    return { found: `refused, ${described(again)}: a create without an answer is not repeated` };
  }
  const second = idOf(again);
  const isSame = second === id;
  if (!isSame) drafts.push(second);
  const isAnnounced = again.headers.has('idempotency-status');
  on.learn({ honoursIdempotencyKeys: isSame, honoursKeysUnannounced: isSame && !isAnnounced });
  if (!isSame) return { found: `made a second draft, ${second}: a create without an answer is not repeated` };
  return {
    found: `the same job${isAnnounced ? '' : ', unannounced'}: a create without an answer is repeated`,
  };
}

function idOf(made: Answer): number {
  const job = decodeCreated(made);
  return typeof job === 'number' ? job : job.id;
}

async function jobNow(on: Examination, id: number): Promise<ServerJob> {
  return decodeFoundJob(await on.ask({ method: 'GET', path: `/jobs/${id}` }));
}

async function cleared(on: Examination, id: number, body: object, isEmpty: (job: ServerJob) => boolean) {
  const answer = await on.ask({ method: 'PATCH', path: `/jobs/${id}`, body });
  if (answer.status >= 300) return undetermined(answer) ?? { found: `no: ${described(answer)}` };
  return { found: `${isEmpty(await jobNow(on, id)) ? 'yes' : 'no, it stays'}: ${described(answer)}` };
}

/** The job was read just now: a server that knows the transition must not say that it is not there. */
function offered({ status, text }: Answer): boolean | undefined {
  if (status === 409 || text.includes('INVALID_TRANSITION') || status < 300) return true;
  return isRouteMissing(status) ? false : undefined;
}
