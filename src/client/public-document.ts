import { lookup as resolve } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, type ErrorCode, PartnerError } from '../contract/errors.ts';
import { isLoopback } from '../contract/uri.ts';
import { DOCUMENT_BYTES_MAX } from '../contract/values.ts';
import { withoutPassword } from '../text/outside-text.ts';
import { MAX_REDIRECTS, REDIRECTS } from './base-url.ts';
import { type Deadline, readBytes, withDeadline } from './exchange.ts';
import { networkFailure, unreachable } from './failure.ts';
import { type NetworkOptions, openNetwork } from './network.ts';
import { backoffMs, retryAfterMs } from './retry.ts';
import special from './special-addresses.json' with { type: 'json' };
import statuses from './statuses.json' with { type: 'json' };

export interface PublicReaderOptions extends Omit<NetworkOptions, 'allowInsecure'> {
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_ATTEMPTS = 3;
const ACCEPT = 'application/json, application/xml;q=0.9, text/html;q=0.8';
const HINT = 'open the URL in a browser, or save the document and import the file';

type Refusal = { readonly code: ErrorCode; readonly why?: string };

const REFUSALS = statuses.publicDocuments as Readonly<Record<number, Refusal>>;
const REPEATED: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVER_FAILED', 'UNREACHABLE'];

/** Reads public URLs: only GET, no key or cookies, limited in size and time. */
export function openPublicReader(options: PublicReaderOptions) {
  const network = openNetwork({ ...options, allowInsecure: false });
  // Separate, so that a redirect doesn't reuse a connection to an address that the user passed.
  const publicNetwork = openNetwork({ ...options, allowInsecure: false, lookup: publicLookup });
  const monotonicNow = () => performance.now();
  const headers = new Headers({ accept: ACCEPT, 'user-agent': options.userAgent });

  const attempt = async (address: URL, deadline: Deadline) => {
    let url = address;
    let way = network;
    try {
      for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
        const response = await deadline.within(
          way.sendOnce(url, { method: 'GET', headers, body: null }, deadline.signal),
        );
        const { status, body } = response;
        const location = REDIRECTS.includes(status) ? response.headers.get('location') : null;
        if (status < 300) {
          const bytes = await readBytes(body, deadline, DOCUMENT_BYTES_MAX, () =>
            unreadable(url, `sent more than ${DOCUMENT_BYTES_MAX / 1024 / 1024} MiB`),
          );
          return { bytes, contentType: response.headers.get('content-type') ?? undefined };
        }
        await body?.cancel();
        if (location === null) throw toStatusError(url, response);
        const target = resolveRedirect(url, location);
        if (way === publicNetwork || !isSameMachine(url, target)) {
          way = publicNetwork;
          await deadline.within(assertPublic(url, target));
        }
        url = target;
      }
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      const failure = networkFailure(error);
      if (failure === undefined) throw error;
      const unreached = unreachable(url.href, failure, error);
      throw unreached.hint === ERRORS.UNREACHABLE.next ? unreached.with({ hint: HINT }) : unreached;
    }
    throw unreadable(url, `redirects more than ${MAX_REDIRECTS} times`);
  };

  return {
    /** Throws NOT_FOUND, UNREACHABLE, TIMED_OUT and others. Each message includes the URL. */
    async read(address: string) {
      const url = publicUrl(address);
      if (url === undefined) {
        const shown = withoutPassword(address);
        const message = `not the URL of a public document: ${JSON.stringify(shown)}`;
        const hint = 'use an http:// or https:// URL without a user name or password';
        throw new PartnerError('USAGE', { message, hint });
      }
      return withDeadline({ ...options, monotonicNow }, async (deadline) => {
        for (let count = 1; ; count++) {
          try {
            return await attempt(url, deadline);
          } catch (error) {
            if (!(error instanceof PartnerError) || !REPEATED.includes(error.code)) throw error;
            const waitMs = Math.max(backoffMs(count, Math.random()), 1000 * (error.retryAfterSeconds ?? 0));
            if (count === MAX_ATTEMPTS || waitMs >= deadline.atMs - monotonicNow()) throw error;
            await deadline.within(sleep(waitMs, undefined, { signal: deadline.signal }));
          }
        }
      });
    },
    async close(): Promise<void> {
      await Promise.all([network.close(), publicNetwork.close()]);
    },
  };
}

function toStatusError(url: URL, { status, headers }: Response): PartnerError {
  const other: Refusal =
    status >= 500 ? { code: 'SERVER_FAILED', why: 'even after retries' } : { code: 'ANSWER_UNREADABLE' };
  const { code, why } = REFUSALS[status] ?? other;
  const message = `${url} returned status ${status}${why === undefined ? '' : `: ${why}`}`;
  const waitMs = retryAfterMs(headers.get('retry-after') ?? '', Date.now());
  return new PartnerError(code, { status, message, hint: HINT, retryAfterSeconds: waitMs && waitMs / 1000 });
}

function publicUrl(address: string, from?: URL): URL | undefined {
  const url = URL.canParse(address, from) ? new URL(address, from) : undefined;
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol);
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

function resolveRedirect(from: URL, location: string): URL {
  const target = publicUrl(location, from);
  if (target !== undefined) return target;
  throw unreadable(
    from,
    "redirects to a URL with another scheme, a user name or a password. Such redirects aren't followed",
  );
}

/** An IP address or localhost may redirect to itself. A hostname may not, because it can resolve differently later. */
function isSameMachine(from: URL, target: URL): boolean {
  return isLoopback(from.hostname)
    ? isLoopback(target.hostname)
    : from.hostname === target.hostname && isIP(bareHost(from)) !== 0;
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** A proxy resolves names itself, so this checks the name first. Names that only a proxy can resolve are allowed. */
async function assertPublic(from: URL, target: URL): Promise<void> {
  const found = await lookup(bareHost(target), { all: true }).catch(() => []);
  const inside = found.find(({ address }) => !isPublicAddress(address));
  if (inside !== undefined)
    throw unreadable(from, `redirects to ${target.origin}: ${notPublic(inside.address)}`, REDIRECT_HINT);
}

/** Checks addresses when connecting, because a name can resolve differently after `assertPublic`. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    const inside = found?.find(({ address }) => !isPublicAddress(address));
    if (error !== null || first === undefined) return callback(error, '');
    if (inside !== undefined) {
      const message = `a redirect leads to ${hostname}: ${notPublic(inside.address)}`;
      return callback(new PartnerError('ANSWER_UNREADABLE', { message, hint: REDIRECT_HINT }), '');
    }
    if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

const notPublic = (address: string): string =>
  `${address} isn't a public internet address, so the redirect isn't followed`;

const REDIRECT_HINT = 'pass that URL if you trust it, or save the document and import the file';

function unreadable(url: URL, what: string, hint = HINT): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', { message: `${url} ${what}`, hint });
}

/** Prefix of IPv6 addresses whose last 32 bits are an IPv4 address. */
const NAT64 = '64:ff9b::';

let lists: ReturnType<typeof openLists> | undefined;

function openLists() {
  const [ipv4, ipv6, nat64, isNat64] = [new BlockList(), new BlockList(), new BlockList(), new BlockList()];
  isNat64.addSubnet(NAT64, 96, 'ipv6');
  for (const [address, bits] of special.ipv4 as [string, number][]) {
    ipv4.addSubnet(address, bits, 'ipv4');
    nat64.addSubnet(NAT64 + address, 96 + bits, 'ipv6');
  }
  for (const [address, bits] of special.ipv6 as [string, number][]) ipv6.addSubnet(address, bits, 'ipv6');
  return { ipv4, ipv6, nat64, isNat64 };
}

/** True for IP addresses of the public internet, which are the only ones that untrusted URLs may lead to. */
export function isPublicAddress(address: string): boolean {
  lists ??= openLists();
  if (isIPv4(address)) return !lists.ipv4.check(address);
  const bare = address.replace(/%.*/, '');
  const special = lists.isNat64.check(bare, 'ipv6') ? lists.nat64 : lists.ipv6;
  return isIP(bare) === 6 && !special.check(bare, 'ipv6');
}
