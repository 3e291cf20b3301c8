import { PartnerError } from '../contract/errors.ts';
import { wholeText } from '../contract/whole-text.ts';
import type { Deadline } from './deadline.ts';

/** Far above any page of jobs; what is larger is no answer of this service. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** A server's answer, read to its end. */
export interface Answer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Reads an answer to its end, within the deadline. Throws ANSWER_UNREADABLE where it is endless. */
export async function readAnswer(request: Request, response: Response, deadline: Deadline): Promise<Answer> {
  const { method, url } = request;
  const { status, headers } = response;
  const text = wholeText(response) ?? (await readText(response.body, url, deadline));
  return { method, url, status, headers, text };
}

async function readText(
  body: ReadableStream<Uint8Array> | null,
  url: string,
  deadline: Deadline,
): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  try {
    return await deadline.within(textOf(reader, url));
  } catch (error) {
    // Without this a body that nobody reads on would hold its connection.
    reader.cancel().catch(() => {});
    throw error;
  }
}

async function textOf(reader: ReadableStreamDefaultReader<Uint8Array>, url: string): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join('') + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw tooLarge(url);
    parts.push(decoder.decode(value, { stream: true }));
  }
}

function tooLarge(url: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    mayHaveCreated: true,
    message: `${url} answered with more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`,
  });
}
