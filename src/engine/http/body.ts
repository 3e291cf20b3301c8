import { Readable } from 'node:stream';
import { PartnerError } from '../../contract/errors.ts';
import type { PlainRequest } from '../../contract/http-messages.ts';
import { validationFailed } from '../../contract/problems.ts';
import { translateErrors } from '../../contract/system-errors.ts';
import { LIMITS } from '../../contract/values.ts';
import { countNames, findLosses, jsonFault } from '../../json/fault.ts';

export interface Body {
  readonly bytes: Uint8Array;
  /** Throws if the body is invalid. Called after the job is loaded, because a missing job comes first (decision 13). */
  readonly value: () => unknown;
}

export const NO_BODY: Body = { bytes: new Uint8Array(), value: () => undefined };

/** Stops reading above the size limit (decision 15). */
export async function readBody(request: PlainRequest): Promise<Body> {
  try {
    const bytes = await readAtMost(request, LIMITS.bodyBytes);
    return { bytes, value: () => parse(bytes, request.headers) };
  } catch (error) {
    const value = () => {
      throw error;
    };
    return { ...NO_BODY, value };
  }
}

/** Throws `tooLarge()` above `maxBytes`, and VALIDATION_FAILED if the body is incomplete. */
export async function readAtMost(
  { headers, body }: PlainRequest,
  maxBytes: number,
  tooLarge: () => PartnerError = () => new PartnerError('PAYLOAD_TOO_LARGE'),
): Promise<Uint8Array> {
  if (Number(headers.get('content-length')) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const take = (chunk: Uint8Array): void => {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  };
  try {
    if (typeof body === 'string') take(Buffer.from(body));
    else if (body instanceof Readable) await readIncoming(body, take);
    else for await (const chunk of body ?? []) take(chunk);
  } catch (error) {
    if (error instanceof PartnerError) throw error;
    throw createBodyError('the body was cut off', error);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
}

/** Uses events, because iterating over the stream is slower and destroys it if the body is too large. */
function readIncoming(incoming: Readable, take: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) reject(new Error('the connection was closed'));
    const onData = (chunk: Uint8Array): void => {
      try {
        take(chunk);
      } catch (error) {
        incoming.off('data', onData).resume();
        reject(error);
      }
    };
    // Creates the error only if needed, because that costs as much as the rest of the function.
    const rejectClosed = () => incoming.readableEnded || reject(new Error('the connection was closed'));
    // Removes the listener, because an idle connection keeps its last request, and thereby the body, in memory.
    const onEnd = (): void => {
      incoming.off('data', onData);
      resolve();
    };
    incoming.on('data', onData).once('end', onEnd).once('error', reject).once('close', rejectClosed);
  });
}

/** Limits field names, because checking 100,000 takes a quarter of a second. The largest listing has far fewer. */
const NAMES_MAX = 10_000;

function parse(bytes: Uint8Array, headers: PlainRequest['headers']): unknown {
  if (bytes.byteLength === 0) throw createBodyError('the body must be a JSON object');
  refuseOtherTypes(headers);
  const text = translateErrors(
    () => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    (error) => createBodyError("the body isn't UTF-8 text", error),
  );
  try {
    const value: unknown = JSON.parse(text);
    const names = countNames(value);
    if (names > NAMES_MAX) throw createBodyError(`the body has more than ${NAMES_MAX} fields`);
    const { problems, more } = findLosses(text, value, names);
    if (problems.length > 0) throw validationFailed(problems, more);
    return value;
  } catch (error) {
    if (error instanceof PartnerError) throw error;
    const fault = jsonFault(text);
    const where = fault ? ` at line ${fault.line}, column ${fault.column}: ${fault.message}` : '';
    throw createBodyError(`the body isn't JSON${where}`, error);
  }
}

const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)$/i;
const UTF8_CHARSET = /^charset="?utf-?8"?$/i;

function refuseOtherTypes(headers: PlainRequest['headers']): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (!JSON_TYPE.test(type)) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
      message: `the body must be application/json, ${type === '' ? 'but has no Content-Type' : `not ${type}`}`,
    });
  }
  if (charset !== undefined && !UTF8_CHARSET.test(charset)) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', { message: `the body must be UTF-8, not ${charset}` });
  }
  refuseEncoded(headers);
}

export function refuseEncoded(headers: PlainRequest['headers']): void {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return;
  throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', { message: `the body must not be ${encoding}-encoded` });
}

function createBodyError(message: string, cause?: unknown): PartnerError {
  return new PartnerError('VALIDATION_FAILED', { message, fields: { body: message }, cause });
}
