import { PartnerError } from '../contract/errors.ts';

/** Statuses that repeat the request as it is; the others turn it into a GET. */
const KEEP_METHOD: readonly number[] = [307, 308];
/** The answer to work that was done: its result is elsewhere. */
const SEE_OTHER = 303;
const REDIRECTS: readonly number[] = [301, 302, SEE_OTHER, ...KEEP_METHOD];

/**
 * Where an answer sends a request on to; undefined where it is no redirect. Throws ANSWER_UNREADABLE for
 * another origin, which must never see the key, and where following would turn a change into a read. A 303
 * to a POST says where its result is: that answer is for the caller.
 */
export function redirectTarget(method: string, from: URL, response: Response): URL | undefined {
  const { status } = response;
  const location = response.headers.get('location');
  if (!REDIRECTS.includes(status) || location === null || !URL.canParse(location, from)) return undefined;
  const target = new URL(location, from);
  const mayHaveCreated = status === SEE_OTHER;
  if (target.origin !== from.origin) {
    // Of a scheme that has no origin, such as `javascript:`, the scheme is all that is worth saying.
    const where = target.origin === 'null' ? target.protocol : target.origin;
    const what = `redirects to another origin, ${where}; the key is not sent there`;
    throw refused(status, from, what, mayHaveCreated);
  }
  if (target.username !== '' || target.password !== '') {
    throw refused(
      status,
      from,
      'redirects with a user name or a password, which are sent nowhere',
      mayHaveCreated,
    );
  }
  if (method === 'POST' && status === SEE_OTHER) return undefined;
  if (method !== 'GET' && !KEEP_METHOD.includes(status)) {
    throw refused(
      status,
      from,
      `redirects a ${method} to ${target.pathname} in a way (${status}) that would drop it`,
      true,
    );
  }
  return target;
}

/** ANSWER_UNREADABLE for a server that redirects without end. */
export function endlessRedirect(from: URL, hops: number): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    message: `${from.origin} redirects more than ${hops} times`,
  });
}

function refused(status: number, from: URL, what: string, mayHaveCreated: boolean): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    status,
    mayHaveCreated,
    message: `${from.origin} ${what}`,
    hint: 'if the API has moved there and you trust it, give its new address as --base-url',
  });
}
