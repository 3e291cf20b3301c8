/** Where a request or an answer that was made here has its text. */
const WHOLE_TEXT = Symbol('whole text');

interface RequestText {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface ResponseText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A Request whose whole body is at hand. Fetch's own makes a stream and a signal for each, which takes longer
 * than all the rest of a call in one process: here it is made for whoever asks for more than `wholeText`.
 */
export function textRequest(url: string, { method, headers: given, body }: RequestText): Request {
  const headers = new Headers(given);
  const { href } = new URL(url);
  return madeLate({ method, headers, url: href }, body ?? '', () => {
    const rest = body === undefined ? {} : { body };
    return new Request(href, { method, headers, redirect: 'manual', ...rest });
  });
}

/** A Response whose whole body is at hand, as `textRequest` has it. */
export function textResponse(text: string, { status, headers: given }: ResponseText): Response {
  const headers = new Headers(given);
  const ok = status >= 200 && status < 300;
  return madeLate({ status, headers, ok }, text, () => new Response(text, { status, headers }));
}

/** The whole text of what `textRequest` or `textResponse` has made; undefined of any other: that is to be read. */
export function wholeText(message: Request | Response): string | undefined {
  return (message as { [WHOLE_TEXT]?: string })[WHOLE_TEXT];
}

/** An object with some of its properties at hand; all others are those of the one that is made for them. */
function madeLate<T extends object>(known: Partial<T>, text: string, make: () => T): T {
  let made: T | undefined;
  const real = (): T => {
    made ??= make();
    return made;
  };
  const target = Object.assign(known, { [WHOLE_TEXT]: text }) as T;
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(target, name)) return Reflect.get(target, name);
      // Whoever waits for it asks whether it is a promise.
      const value: unknown = name === 'then' ? undefined : Reflect.get(real(), name);
      return typeof value === 'function' ? value.bind(real()) : value;
    },
    has: (_, name) => Object.hasOwn(target, name) || name in real(),
    getPrototypeOf: () => Object.getPrototypeOf(real()),
  });
}
