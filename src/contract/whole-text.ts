const WHOLE_TEXT = Symbol('whole text');

/** Fetch's own makes a stream and a signal for each, which takes longer than the rest of a call in one process. */
export function textRequest(
  url: string,
  given: { method: string; headers: Readonly<Record<string, string>>; body: string | undefined },
): Request {
  const { method, body } = given;
  const headers = new Headers(given.headers);
  const { href } = new URL(url);
  return madeLate({ method, headers, url: href }, body ?? '', () => {
    const rest = body === undefined ? {} : { body };
    return new Request(href, { method, headers, redirect: 'manual', ...rest });
  });
}

export function textResponse(
  text: string,
  { status, headers: given }: { status: number; headers: Readonly<Record<string, string>> },
): Response {
  const headers = new Headers(given);
  const ok = status >= 200 && status < 300;
  return madeLate({ status, headers, ok }, text, () => new Response(text, { status, headers }));
}

/** Undefined for a message that was not made here: read that one. */
export function wholeText(message: Request | Response): string | undefined {
  return (message as { [WHOLE_TEXT]?: string })[WHOLE_TEXT];
}

/** The other properties come from a real object, made when one is asked for. */
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
