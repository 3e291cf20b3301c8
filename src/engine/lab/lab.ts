import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { ERRORS, PartnerError } from '../../contract/errors.ts';
import { type PlainRequest, type PlainResponse, TextResponse } from '../../contract/http-messages.ts';
import { PREFIX } from '../app.ts';
import { errorResponse } from '../http/mount.ts';
import type { Engine } from '../open.ts';
import type { RequestOrigin } from '../parts.ts';
import { type CutAt, createLabDecisions, type Failure, type Fault, type LabOptions } from './decisions.ts';

export type Injected = ReturnType<ReturnType<typeof createLab>['injected']>;

export type Sleep = (waitMs: number) => Promise<unknown>;

type Fetch = Engine['fetch'];

export function createLab(fetch: Fetch, options: LabOptions, sleep: Sleep = sleepFor) {
  const decideFault = createLabDecisions(options.seed, options);
  const work: Fetch = async (request, origin) => {
    if (options.listsJobs || request.method !== 'GET' || getPath(request) !== `${PREFIX}/jobs`)
      return fetch(request, origin);
    // A server without job lists only supports POST on this path, and responds without the envelope (decision 5).
    const headers = { allow: 'POST', 'content-type': 'text/plain; charset=utf-8' };
    return new Response('Method Not Allowed\n', { status: 405, headers });
  };
  const failed = { before: 0, after: 0 };
  const dropped = { before: 0, after: 0 };
  let requests = 0;
  let tooMany = 0;
  return {
    injected: () => ({ requests, failed: { ...failed }, dropped: { ...dropped }, tooMany }),
    /** Returns undefined for a fault that no Response can represent, and writes it to `outgoing` instead. */
    async answer(request: PlainRequest, outgoing: ServerResponse, origin?: RequestOrigin) {
      if (!`${getPath(request)}/`.startsWith(`${PREFIX}/`)) return fetch(request, origin);
      if (!options.knowsIdempotency) delete outgoing.req.headers['idempotency-key'];
      const { latencyMs, fault } = decideFault(requests++);
      const late = latencyMs > 0 ? sleep(latencyMs) : undefined;
      if (fault !== undefined) (fault.kind === 'fail' ? failed : dropped)[fault.at]++;
      const done = fault?.at === 'before' ? undefined : await work(request, origin);
      await late;
      const answer = fault === undefined ? done : await withFault(fault, request, done, outgoing);
      if (answer?.status === 429) tooMany++;
      return answer;
    },
  };
}

function getPath({ url }: PlainRequest): string {
  return new URL(url).pathname;
}

async function withFault(
  fault: Fault,
  request: PlainRequest,
  done: PlainResponse | undefined,
  outgoing: ServerResponse,
): Promise<PlainResponse | undefined> {
  if (fault.kind === 'fail' && fault.failure !== 'truncated-body') return createFailure(fault);
  // Closing with an unread body would reset the connection, and the truncated response would be lost.
  if (done === undefined && fault.kind === 'fail') {
    await finished(outgoing.req.resume()).catch(() => undefined);
  }
  const cutAt = fault.kind === 'fail' ? 'in-body' : fault.cutAt;
  await breakAnswer(outgoing, done ?? createNeverMade(request), cutAt);
  return undefined;
}

async function breakAnswer(outgoing: ServerResponse, answer: PlainResponse, cutAt: CutAt): Promise<void> {
  const body = Buffer.from(await answer.text());
  if (outgoing.destroyed) return;
  const { status, headers } = answer;
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

const GATEWAY_PAGE = '<!doctype html>\n<title>Gateway</title>\n<h1>The lab simulates a failed gateway</h1>\n';

function createFailure({ failure, status, retryAfterSeconds }: Failure): TextResponse {
  if (failure === 'internal-error' || failure === 'too-many') {
    const code = failure === 'too-many' ? 'RATE_LIMITED' : 'INTERNAL';
    const message = `${ERRORS[code].message} (injected by the lab)`;
    return errorResponse(new PartnerError(code, { message, retryAfterSeconds }));
  }
  return new TextResponse(GATEWAY_PAGE, status, {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    'content-type': 'text/html; charset=utf-8',
  });
}

/** Creates the response that is cut off if the request never reached the engine. */
function createNeverMade({ method, url }: PlainRequest): Response {
  const isCreate = method === 'POST' && /\/jobs\/?$/.test(new URL(url).pathname);
  return Response.json({ id: 1, title: 'never made' }, { status: isCreate ? 201 : 200 });
}
