import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ERRORS, errorBody, PartnerError } from '../../contract/errors.ts';
import type { CutAt, Fault } from './decisions.ts';

/** What goes wrong in place of a request's answer; `done` is that answer, where the engine has done the work. */
export async function harmed(
  harm: Fault,
  request: Request,
  done: Response | undefined,
  outgoing: ServerResponse,
): Promise<Response> {
  if (harm.kind === 'fail' && harm.failure !== 'truncated-body') return failureAnswer(harm);
  // Unread, the rest of the body would make a reset of the end of the connection, and take the answer along.
  if (done === undefined && harm.kind === 'fail') {
    await request.body?.pipeTo(new WritableStream()).catch(() => undefined);
  }
  const answer = done ?? answerNeverGiven(request);
  const body = Buffer.from(await answer.arrayBuffer());
  if (!outgoing.destroyed) breakOff(outgoing, answer, body, harm.kind === 'fail' ? 'in-body' : harm.cutAt);
  return RESPONSE_ALREADY_SENT;
}

/** Sends no more of an answer than up to the cut, then destroys the connection. */
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

type OtherFailure = Extract<Fault, { kind: 'fail' }>;

/** What a failing service, or a proxy before it, says of itself. */
function failureAnswer({ failure, status, retryAfterSeconds }: OtherFailure): Response {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (failure === 'internal-error') return envelope('INTERNAL', headers);
  if (failure === 'too-many') return envelope('RATE_LIMITED', headers);
  return new Response(PAGE, { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } });
}

const PAGE =
  '<!doctype html>\n<title>Gateway</title>\n<h1>The lab stands in for a gateway that failed</h1>\n';

function envelope(code: 'INTERNAL' | 'RATE_LIMITED', headers: Record<string, string>): Response {
  const body = errorBody(
    new PartnerError(code, { message: `${ERRORS[code].message} (injected by the lab)` }),
  );
  return Response.json(body, { status: ERRORS[code].status, headers });
}

/** An answer to a request that the engine never saw; half of it is no JSON. */
function answerNeverGiven({ method, url }: Request): Response {
  const isCreate = method === 'POST' && /\/jobs\/?$/.test(new URL(url).pathname);
  return Response.json({ id: 1, title: 'never made' }, { status: isCreate ? 201 : 200 });
}

/** A server that lists no jobs knows POST at that path only, and answers without the envelope (decision 5). */
export function listNotOffered(): Response {
  return new Response('Method Not Allowed\n', {
    status: 405,
    headers: { allow: 'POST', 'content-type': 'text/plain; charset=utf-8' },
  });
}
