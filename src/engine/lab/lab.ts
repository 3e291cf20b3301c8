import type { ServerResponse } from 'node:http';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { PREFIX } from '../app.ts';
import type { Engine } from '../open.ts';
import type { RequestOrigin } from '../parts.ts';
import { harmed, listNotOffered } from './answers.ts';
import { type FaultPhase, type LabOptions, labDecisions } from './decisions.ts';

/** What a lab has done so far. */
export interface Injected {
  readonly requests: number;
  readonly failed: Readonly<Record<FaultPhase, number>>;
  readonly dropped: Readonly<Record<FaultPhase, number>>;
  /** Answers of 429: the lab's own, which are failures too, and those of a rate limit. */
  readonly tooMany: number;
}

export interface Lab {
  /** Answers a request of the API as a bad network would; where no Response can say it, through `outgoing`. */
  answer(request: Request, outgoing: ServerResponse, arrival?: RequestOrigin): Promise<Response>;
  injected(): Injected;
}

/** Waits for so many milliseconds. */
export type Sleep = (waitMs: number) => Promise<unknown>;

type Answerer = Engine['fetch'];

/** The engine behind a bad network; what is not under `/v1` passes unhurt. */
export function createLab(fetch: Answerer, options: LabOptions, sleep: Sleep = sleepFor): Lab {
  const fateOf = labDecisions(options.seed, options);
  const work = serverThatLacks(fetch, options);
  const failed = { before: 0, after: 0 };
  const dropped = { before: 0, after: 0 };
  let requests = 0;
  let tooMany = 0;
  const counted = (answer: Response): Response => {
    if (answer.status === 429) tooMany++;
    return answer;
  };
  return {
    injected: () => ({ requests, failed: { ...failed }, dropped: { ...dropped }, tooMany }),
    async answer(request, outgoing, arrival) {
      if (!isOfTheApi(request)) return fetch(request, arrival);
      const { latencyMs, harm } = fateOf(requests++);
      // It runs from the moment the request came: how long the work takes is not to be seen.
      const late = latencyMs > 0 ? sleep(latencyMs) : undefined;
      if (harm === undefined) {
        const answer = await work(request);
        await late;
        return counted(answer);
      }
      (harm.kind === 'fail' ? failed : dropped)[harm.at]++;
      const done = harm.at === 'before' ? undefined : await work(request);
      await late;
      return counted(await harmed(harm, request, done, outgoing));
    },
  };
}

/** A server without what ours offers beyond the specification. */
function serverThatLacks(fetch: Answerer, { knowsIdempotency, listsJobs }: LabOptions): Answerer {
  return async (request) => {
    if (!listsJobs && request.method === 'GET' && pathOf(request) === `${PREFIX}/jobs`)
      return listNotOffered();
    if (!knowsIdempotency) request.headers.delete('idempotency-key');
    return fetch(request);
  };
}

function isOfTheApi(request: Request): boolean {
  return pathOf(request) === PREFIX || pathOf(request).startsWith(`${PREFIX}/`);
}

function pathOf({ url }: Request): string {
  return new URL(url).pathname;
}
