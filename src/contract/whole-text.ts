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
  return madeLate<Request>(known, () => {
    const rest = body === undefined ? {} : { body };
    return new Request(href, { method, headers, redirect: 'manual', ...rest });
  });
}

export function textResponse(
  text: string,
  { status, headers: given }: { status: number; headers: PlainHeaders },
): Response {
  const ok = status >= 200 && status < 300;
  let headers: Headers | undefined;
  const known = {
    status,
    ok,
    get headers() {
      headers ??= new Headers(given);
      return headers;
    },
    [WHOLE_TEXT]: text,
    [PLAIN_HEADERS]: given,
  };
  return madeLate<Response>(known, () => new Response(text, { status, headers: known.headers }));
}

/** Undefined for a message that was not made here: read that one. */
export function wholeText(message: Request | Response): string | undefined {
  return (message as { [WHOLE_TEXT]?: string })[WHOLE_TEXT];
}

/** The headers that `textResponse` was given. */
export function plainHeaders(response: Response): PlainHeaders | undefined {
  return (response as { [PLAIN_HEADERS]?: PlainHeaders })[PLAIN_HEADERS];
}

/** A message with the properties that are known; the others come from a real one, made when one is asked for. */
export function madeLate<T extends Request | Response>(known: Partial<T>, make: () => T): T {
  let made: T | undefined;
  const real = (): T => {
    made ??= make();
    return made;
  };
  return new Proxy(known as T, {
    get(target, name) {
      // Symbols mark what was made by us, and are never those of a real one.
      if (Object.hasOwn(target, name) || name === WHOLE_TEXT || name === PLAIN_HEADERS)
        return Reflect.get(target, name);
      // Whoever waits for it asks whether it is a promise.
      const value: unknown = name === 'then' ? undefined : Reflect.get(real(), name);
      return typeof value === 'function' ? value.bind(real()) : value;
    },
    has: (target, name) => Object.hasOwn(target, name) || name in real(),
    getPrototypeOf: () => Object.getPrototypeOf(real()),
  });
}
