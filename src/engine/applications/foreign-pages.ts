import { PartnerError } from '../../contract/errors.ts';
import { isLoopback } from '../../contract/uri.ts';
import { cameToLoopback, hostnameOf, isOfOtherOrigin, namesOf } from '../http/request-origin.ts';
import type { RequestOrigin } from '../parts.ts';

/**
 * Candidates need no key, so that any page that a browser of this machine has open could fill the disk with files, or,
 * with a name that it gives this machine's address (DNS rebinding), read the rehearsed listings and apply. Browsers
 * say by `Origin` and `Host` where a page comes from, and by `Sec-Fetch-Site` where they send no `Origin`, as for a
 * picture or a link. Throws FORBIDDEN; never where the engine listens for others too.
 */
export function refuseForeignPages(request: Request, arrival: RequestOrigin): void {
  if (!cameToLoopback(arrival)) return;
  const origin = request.headers.get('origin');
  const names = origin === null ? namesOf(request) : [...namesOf(request), hostnameOf(origin)];
  const isForeign = origin === null && isOfOtherOrigin(request);
  if (!isForeign && names.every((name) => isLoopback(name) || isOfContainers(name))) return;
  throw new PartnerError('FORBIDDEN', {
    message:
      'the engine listens on this machine alone: it answers by the names of this machine, and to no page of another',
  });
}

/** `host.docker.internal` and the like: public DNS has no such names (ICANN keeps `.internal` for private use). */
function isOfContainers(name: string): boolean {
  return name.endsWith('.internal');
}
