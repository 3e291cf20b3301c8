import type { IncomingMessage } from 'node:http';
import { PartnerError } from '../../contract/errors.ts';
import { jsonFault, lossesIn, namesIn } from '../../contract/json/fault.ts';
import { LIMITS } from '../../contract/values.ts';
import { wholeText } from '../../contract/whole-text.ts';
import { validationFailed } from '../lifecycle/refusals.ts';

export interface Body {
  readonly bytes: Uint8Array;
  /** Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or VALIDATION_FAILED only here: a missing job comes first (decision 13). */
  readonly value: () => unknown;
}

export const NO_BODY: Body = { bytes: new Uint8Array(), value: () => undefined };

/** Reads a body, never more of it than the limit (decision 15). */
export async function readBody(request: Request): Promise<Body> {
  const text = wholeText(request);
  try {
    const bytes = text === undefined ? await readAtMost(request, LIMITS.bodyBytes) : withinLimit(text);
    return { bytes, value: () => parse(bytes, request.headers, text) };
  } catch (error) {
    const value = () => {
      throw error;
    };
    return { ...NO_BODY, value };
  }
}

/** Marks a request that came through a socket with the message that its body is read from. */
export const INCOMING = Symbol('incoming message');

/** The bytes of a body. Throws `tooLarge()` above `maxBytes`, and VALIDATION_FAILED where the body breaks off. */
export async function readAtMost(
  request: Request,
  maxBytes: number,
  tooLarge: () => PartnerError = () => new PartnerError('PAYLOAD_TOO_LARGE'),
): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge();
  const incoming = (request as { [INCOMING]?: IncomingMessage })[INCOMING];
  const chunks: Uint8Array[] = [];
  let length = 0;
  const take = (chunk: Uint8Array): void => {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  };
  try {
    if (incoming === undefined) await readStream(request.body, take);
    else await readIncoming(incoming, take);
  } catch (error) {
    if (error instanceof PartnerError) throw error;
    throw invalidBody('the body broke off before its end', error);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
}

/** By hand: iterating over the stream takes twice as long. */
async function readStream(body: Request['body'], take: (chunk: Uint8Array) => void): Promise<void> {
  const reader = body?.getReader();
  try {
    for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) take(chunk.value);
  } catch (error) {
    await reader?.cancel().catch(() => undefined);
    throw error;
  }
}

/** By its events, which take a fraction of what a stream of fetch does. */
function readIncoming(incoming: IncomingMessage, take: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) reject(new Error('the connection was closed'));
    const onData = (chunk: Uint8Array): void => {
      try {
        take(chunk);
      } catch (error) {
        // What is left is read and dropped.
        incoming.off('data', onData).resume();
        reject(error);
      }
    };
    // An error that is made for nothing costs as much as all the rest here.
    const closed = () => incoming.readableEnded || reject(new Error('the connection was closed'));
    incoming.on('data', onData).once('end', resolve).once('error', reject).once('close', closed);
  });
}

function withinLimit(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.byteLength > LIMITS.bodyBytes) throw new PartnerError('PAYLOAD_TOO_LARGE');
  return bytes;
}

/** Many times what the largest listing has; to check a hundred thousand would take a quarter of a second. */
const NAMES_MAX = 10_000;

function parse(bytes: Uint8Array, headers: Headers, known: string | undefined): unknown {
  if (bytes.byteLength === 0) throw invalidBody('a JSON object is required as the body');
  refuseOtherTypes(headers);
  const text = known ?? decode(bytes);
  try {
    const value: unknown = JSON.parse(text);
    if (namesIn(value) > NAMES_MAX) throw invalidBody(`the body has more than ${NAMES_MAX} fields`);
    const { problems, more } = lossesIn(text, value);
    if (problems.length > 0) throw validationFailed(problems, more);
    return value;
  } catch (error) {
    if (error instanceof PartnerError) throw error;
    const fault = jsonFault(text);
    const where = fault ? ` at line ${fault.line}, column ${fault.column}: ${fault.message}` : '';
    throw invalidBody(`the body is not JSON${where}`, error);
  }
}

const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)$/i;
const UTF8_CHARSET = /^charset="?utf-?8"?$/i;

function refuseOtherTypes(headers: Headers): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (!JSON_TYPE.test(type)) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
      message: `the body must be application/json, not ${type === '' ? 'of no content type' : type}`,
    });
  }
  if (charset !== undefined && !UTF8_CHARSET.test(charset)) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', { message: `the body must be UTF-8, not ${charset}` });
  }
  refuseEncoded(headers);
}

export function refuseEncoded(headers: Headers): void {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return;
  throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', { message: `the body must not be ${encoding}-encoded` });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidBody('the body is not UTF-8 text', error);
  }
}

function invalidBody(message: string, cause?: unknown): PartnerError {
  return new PartnerError('VALIDATION_FAILED', { message, fields: { body: message }, cause });
}
