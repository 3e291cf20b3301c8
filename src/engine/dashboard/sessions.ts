import { createHmac, timingSafeEqual } from 'node:crypto';
import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import { digestOf, randomBase62 } from '../companies/secrets.ts';
import { readAtMost } from '../http/body.ts';
import { isOfOtherOrigin } from '../http/request-origin.ts';
import type { Store } from '../store/store.ts';
import { REFUSALS, Refused } from './problem-page.ts';

// Times are the machine's: moving the engine's clock signs nobody in or out.
export const SESSION_SECONDS = 12 * 60 * 60;
const LINK_SECONDS = 10 * 60;
// 256 bits of randomness.
const TOKEN_CHARACTERS = 43;
const FORM_BYTES_MAX = 64 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:; *charset="?utf-?8"? *)?$/i;
const FORMS_LABEL = 'partner dashboard: forms of a session';

/** A link for a company that exists, good for ten minutes from `now` (the machine's, epoch ms). */
export async function issueLink(store: Store, companyId: string, now: number) {
  const token = randomBase62(TOKEN_CHARACTERS);
  const expiresAt = isoTime(now + LINK_SECONDS * 1_000);
  const link = { digest: digestOf(token), company_id: companyId, expires_at: expiresAt };
  await store.write(async ({ sessions }) => {
    await sessions.sweep(isoTime(now));
    await sessions.insertLink(link);
  });
  return { path: `/dashboard/sign-in?token=${token}`, expiresAt };
}

/** Uses a link up; gives the token of a new session, undefined where the link is unknown, used before or too old. */
export async function signIn(store: Store, linkToken: string, now: number): Promise<string | undefined> {
  const token = randomBase62(TOKEN_CHARACTERS);
  return store.write(async ({ sessions }) => {
    const companyId = await sessions.useLink(digestOf(linkToken), isoTime(now));
    if (companyId === undefined) return undefined;
    const expires_at = isoTime(now + SESSION_SECONDS * 1_000);
    await sessions.insert({ digest: digestOf(token), company_id: companyId, expires_at });
    return token;
  });
}

export async function sessionCompany({ read }: Store, token: string, now: number) {
  const id = await read.sessions.companyOf(digestOf(token), isoTime(now));
  const company = id === undefined ? undefined : await read.companies.find(id);
  return company && { id: company.id, name: company.name };
}

export async function signOut(store: Store, token: string): Promise<void> {
  await store.write(({ sessions }) => sessions.delete(digestOf(token)));
}

/** What every form of a session carries: made from its token, so that nothing more is stored. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update(FORMS_LABEL).digest('base64url');
}

/** The fields of a form of this session, of which `csrf` is the token. Throws Refused and PartnerErrors. */
export async function receiveForm(request: Request, csrf: string): Promise<URLSearchParams> {
  const { headers, url } = request;
  // Browsers say where a form comes from, in words that no page can change.
  const origin = headers.get('origin');
  if ((origin !== null && origin !== new URL(url).origin) || isOfOtherOrigin(request)) {
    throw new Refused(REFUSALS.foreignForm);
  }
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  if (!isPlain || !FORM_TYPE.test(headers.get('content-type') ?? '')) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'a form of the dashboard is application/x-www-form-urlencoded, and not compressed',
    });
  }
  const content = await readAtMost(request, FORM_BYTES_MAX, formTooLarge);
  const form = new URLSearchParams(new TextDecoder().decode(content));
  // Takes the same time wherever the two tokens differ.
  const given = Buffer.from(digestOf(form.getAll('csrf').join()));
  if (!timingSafeEqual(given, Buffer.from(digestOf(csrf)))) throw new Refused(REFUSALS.forgedForm);
  return form;
}

function formTooLarge(): PartnerError {
  return new PartnerError('PAYLOAD_TOO_LARGE', {
    message: `the form is larger than ${FORM_BYTES_MAX / 1024} KiB`,
    hint: 'shorten what was typed, and send it again',
  });
}
