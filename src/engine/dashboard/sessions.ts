import { createHmac, timingSafeEqual } from 'node:crypto';
import { PartnerError } from '../../contract/errors.ts';
import type { PlainRequest } from '../../contract/http-messages.ts';
import { isoTime } from '../../contract/time.ts';
import { digestSecret, randomBase62 } from '../companies/secrets.ts';
import { readAtMost } from '../http/body.ts';
import { isOfOtherOrigin } from '../http/request-origin.ts';
import type { Store } from '../store/store.ts';
import { REFUSALS, Refused } from './problem-page.ts';

// Sessions use the machine's clock, so that changing the engine's clock doesn't sign users out.
export const SESSION_SECONDS = 12 * 60 * 60;
const LINK_SECONDS = 10 * 60;
const TOKEN_CHARACTERS = 43;
const FORM_BYTES_MAX = 64 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:; *charset="?utf-?8"? *)?$/i;
const FORMS_LABEL = 'partner dashboard: forms of a session';

export async function issueLink(store: Store, companyId: string, now: number) {
  const token = randomBase62(TOKEN_CHARACTERS);
  const expiresAt = isoTime(now + LINK_SECONDS * 1_000);
  const link = { digest: digestSecret(token), company_id: companyId, expires_at: expiresAt };
  await store.write(async ({ sessions }) => {
    await sessions.sweep(isoTime(now));
    await sessions.insertLink(link);
  });
  return { path: `/dashboard/sign-in?token=${token}`, expiresAt };
}

export async function signIn(store: Store, linkToken: string, now: number): Promise<string | undefined> {
  const token = randomBase62(TOKEN_CHARACTERS);
  return store.write(async ({ sessions }) => {
    const companyId = await sessions.useLink(digestSecret(linkToken), isoTime(now));
    if (companyId === undefined) return undefined;
    const expires_at = isoTime(now + SESSION_SECONDS * 1_000);
    await sessions.insert({ digest: digestSecret(token), company_id: companyId, expires_at });
    return token;
  });
}

export async function findSessionCompany({ read }: Store, token: string, now: number) {
  const id = await read.sessions.findCompanyId(digestSecret(token), isoTime(now));
  const company = id === undefined ? undefined : await read.companies.find(id);
  return company && { id: company.id, name: company.name };
}

export function signOut(store: Store, token: string): Promise<unknown> {
  return store.write(({ sessions }) => sessions.delete(digestSecret(token)));
}

/** Derives the CSRF token from the session token, so that it isn't stored. */
export function deriveCsrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update(FORMS_LABEL).digest('base64url');
}

/** Returns the fields of a form after checking its origin and CSRF token. Throws Refused and PartnerErrors. */
export async function receiveForm(request: PlainRequest, csrf: string): Promise<URLSearchParams> {
  const { headers, url } = request;
  const origin = headers.get('origin');
  if ((origin !== null && origin !== new URL(url).origin) || isOfOtherOrigin(request)) {
    throw new Refused(REFUSALS.foreignForm);
  }
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  if (!isPlain || !FORM_TYPE.test(headers.get('content-type') ?? '')) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'a dashboard form must be application/x-www-form-urlencoded and not compressed',
    });
  }
  const content = await readAtMost(request, FORM_BYTES_MAX, createFormTooLarge);
  const form = new URLSearchParams(new TextDecoder().decode(content));
  const given = Buffer.from(digestSecret(form.getAll('csrf').join()));
  if (!timingSafeEqual(given, Buffer.from(digestSecret(csrf)))) throw new Refused(REFUSALS.forgedForm);
  return form;
}

function createFormTooLarge(): PartnerError {
  return new PartnerError('PAYLOAD_TOO_LARGE', {
    message: `the form is larger than ${FORM_BYTES_MAX / 1024} KiB`,
    hint: 'shorten your input and send it again',
  });
}
