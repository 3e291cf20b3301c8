import type { ServerResponse } from 'node:http';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { ERRORS, errorBody, PartnerError } from '../../contract/errors.ts';
import { PREFIX } from '../app.ts';
import type { Engine } from '../open.ts';
import type { RequestOrigin } from '../parts.ts';
import { type CutAt, type Fault, type LabOptions, labDecisions } from './decisions.ts';

export type Injected = ReturnType<ReturnType<typeof createLab>['injected']>;

export type Sleep = (waitMs: number) => Promise<unknown>;

type Fetch = Engine['fetch'];

export function createLab(fetch: Fetch, options: LabOptions, sleep: Sleep = sleepFor) {
  const planOf = labDecisions(options.seed, options);
  const work = withoutExtensions(fetch, options);
  const failed = { before: 0, after: 0 };
  const dropped = { before: 0, after: 0 };
  let requests = 0;
  /** Answers of 429: the lab's own, which are failures too, and those of a rate limit. */
  let tooMany = 0;
  const counted = <T extends Response | undefined>(answer: T): T => {
    if (answer?.status === 429) tooMany++;
    return answer;
  };
  return {
    injected: () => ({ requests, failed: { ...failed }, dropped: { ...dropped }, tooMany }),
    /** Answers a request of the API as a bad network would; undefined where no Response can say it: through `outgoing`. */
    async answer(
      request: Request,
      outgoing: ServerResponse,
      origin?: RequestOrigin,
    ): Promise<Response | undefined> {
      if (!`${pathOf(request)}/`.startsWith(`${PREFIX}/`)) return fetch(request, origin);
      const { latencyMs, fault } = planOf(requests++);
      // Started before the work: the latency includes it.
      const late = latencyMs > 0 ? sleep(latencyMs) : undefined;
      if (fault === undefined) {
        const answer = await work(request, origin);
        await late;
        return counted(answer);
      }
      (fault.kind === 'fail' ? failed : dropped)[fault.at]++;
      const done = fault.at === 'before' ? undefined : await work(request, origin);
      await late;
      return counted(await withFault(fault, request, done, outgoing));
    },
  };
}

function withoutExtensions(fetch: Fetch, { knowsIdempotency, listsJobs }: LabOptions): Fetch {
  return async (request, origin) => {
    if (!listsJobs && request.method === 'GET' && pathOf(request) === `${PREFIX}/jobs`) {
      // Such a server knows only POST there, and answers without the envelope (decision 5).
      const headers = { allow: 'POST', 'content-type': 'text/plain; charset=utf-8' };
      return new Response('Method Not Allowed\n', { status: 405, headers });
    }
    if (!knowsIdempotency) request.headers.delete('idempotency-key');
    return fetch(request, origin);
  };
}

function pathOf({ url }: Request): string {
  return new URL(url).pathname;
}

/** What goes wrong with a request's answer: `done`, where the engine has done the work. */
async function withFault(
  fault: Fault,
  request: Request,
  done: Response | undefined,
  outgoing: ServerResponse,
): Promise<Response | undefined> {
  if (fault.kind === 'fail' && fault.failure !== 'truncated-body') return failureAnswer(fault);
  // Closing on an unread body would reset the connection, and the truncated answer would be lost as well.
  if (done === undefined && fault.kind === 'fail') {
    await request.body?.pipeTo(new WritableStream()).catch(() => undefined);
  }
  const answer = done ?? neverMade(request);
  const body = Buffer.from(await answer.arrayBuffer());
  if (!outgoing.destroyed) breakOff(outgoing, answer, body, fault.kind === 'fail' ? 'in-body' : fault.cutAt);
  return undefined;
}

function breakOff(outgoing: ServerResponse, { status, headers }: Response, body: Buffer, cutAt: CutAt): void {
  const end = () => outgoing.destroy();
  if (cutAt === 'before-headers') {
    end();
  } else if (cutAt === 'in-headers') {
    outgoing.socket?.write(`HTTP/1.1 ${status} \r\nContent-Type: applica`, end);
  } else {
    outgoing.writeHead(status, { ...Object.fromEntries(headers), 'content-length': body.byteLength });
    outgoing.write(body.subarray(0, Math.ceil(body.byteLength / 2)), end);
  }
}

const GATEWAY_PAGE =
  '<!doctype html>\n<title>Gateway</title>\n<h1>The lab stands in for a gateway that failed</h1>\n';

function failureAnswer({ failure, status, retryAfterSeconds }: Extract<Fault, { kind: 'fail' }>): Response {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (failure === 'internal-error' || failure === 'too-many') {
    const code = failure === 'too-many' ? 'RATE_LIMITED' : 'INTERNAL';
    const error = new PartnerError(code, { message: `${ERRORS[code].message} (injected by the lab)` });
    return Response.json(errorBody(error), { status: ERRORS[code].status, headers });
  }
  const pageHeaders = { ...headers, 'content-type': 'text/html; charset=utf-8' };
  return new Response(GATEWAY_PAGE, { status, headers: pageHeaders });
}

/** Stands for the answer to a request that the engine never saw; half of it is no JSON. */
function neverMade({ method, url }: Request): Response {
  const isCreate = method === 'POST' && /\/jobs\/?$/.test(new URL(url).pathname);
  return Response.json({ id: 1, title: 'never made' }, { status: isCreate ? 201 : 200 });
}
