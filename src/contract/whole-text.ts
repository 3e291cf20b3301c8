const WHOLE_TEXT = Symbol('whole text');
const PLAIN_HEADERS = Symbol('plain headers');

type PlainHeaders = Readonly<Record<string, string>>;

/** Fetch's own makes a stream and a signal for each, which takes longer than the rest of a call in one process. */
export function textRequest(
  url: string,
  given: { method: string; headers: PlainHeaders; body: string | undefined },
): Request {
  const { method, body } = given;
  const headers = new Headers(given.headers);
  const { href } = new URL(url);
  const known = { method, headers, url: href, [WHOLE_TEXT]: body ?? '' };
  return new LateRequest(known, () => {
    const rest = body === undefined ? {} : { body };
    return new Request(href, { method, headers, redirect: 'manual', ...rest });
  }) as Request;
}

export function textResponse(
  text: string,
  { status, headers: given }: { status: number; headers: PlainHeaders },
): Response {
  const known = { status, ok: status >= 200 && status < 300, [WHOLE_TEXT]: text, [PLAIN_HEADERS]: given };
  return new LateResponse(known, () => new Response(text, { status, headers: given })) as Response;
}

/** Undefined for a message that was not made here: read that one. */
export function wholeText(message: Request | Response): string | undefined {
  return (message as { [WHOLE_TEXT]?: string })[WHOLE_TEXT];
}

/** The headers that `textResponse` was given. */
export function plainHeaders(response: Response): PlainHeaders | undefined {
  return (response as { [PLAIN_HEADERS]?: PlainHeaders })[PLAIN_HEADERS];
}

const MAKE = Symbol('make');

/** A message with the properties that are known; the others come from a real one, made when one is asked for. */
export class LateRequest {
  constructor(known: Partial<Request>, make: () => Request) {
    Object.assign(this, known, { [MAKE]: make });
  }
}

class LateResponse {
  constructor(known: Partial<Response>, make: () => Response) {
    Object.assign(this, known, { [MAKE]: make });
  }
}

interface LateMessage {
  [MAKE]: () => Request | Response;
  readonly [PLAIN_HEADERS]?: PlainHeaders;
}

/** Stands behind the messages of a class: a proxy for each message would take longer. */
function standBehind(late: { readonly prototype: object }, real: () => object): void {
  const get = (_: object, name: string | symbol, message: LateMessage): unknown => {
    // Symbols mark what was made by us. Whoever waits for a message asks whether it is a promise.
    if (typeof name === 'symbol' || name === 'then') return undefined;
    const plain = message[PLAIN_HEADERS];
    if (name === 'headers' && plain !== undefined) {
      const headers = new Headers(plain);
      Object.defineProperty(message, name, { value: headers });
      return headers;
    }
    const made = message[MAKE]();
    message[MAKE] = () => made;
    const value: unknown = Reflect.get(made, name);
    return typeof value === 'function' ? value.bind(made) : value;
  };
  Object.setPrototypeOf(late.prototype, new Proxy({}, { get, getPrototypeOf: real }));
}

standBehind(LateRequest, () => Request.prototype);
standBehind(LateResponse, () => Response.prototype);
