import { createHmac } from 'node:crypto';
import { isoTime } from '../../contract/time.ts';
import { digestOf, randomBase62 } from '../companies/secrets.ts';
import type { Store } from '../store/store.ts';

// Times are the machine's: moving the engine's clock signs nobody in or out.
export const SESSION_SECONDS = 12 * 60 * 60;
const LINK_SECONDS = 10 * 60;
// 256 bits of randomness.
const TOKEN_CHARACTERS = 43;
const FORMS_LABEL = 'partner dashboard: forms of a session';

export type SignInLink = Awaited<ReturnType<typeof issueLink>>;

/** A link for a company that exists, good for ten minutes from `now` (the machine's, epoch ms). */
export async function issueLink(store: Store, companyId: string, now: number) {
  const token = randomBase62(TOKEN_CHARACTERS);
  const expiresAt = isoTime(now + LINK_SECONDS * 1_000);
  await store.write(async ({ sessions }) => {
    await sessions.sweep(isoTime(now));
    await sessions.insertLink({ digest: digestOf(token), companyId, expiresAt });
  });
  return { path: `/dashboard/sign-in?token=${token}`, expiresAt };
}

/** Uses a link up; gives the token of a new session, undefined where the link is unknown, used before or too old. */
export async function signIn(store: Store, linkToken: string, now: number): Promise<string | undefined> {
  const token = randomBase62(TOKEN_CHARACTERS);
  return store.write(async ({ sessions }) => {
    const companyId = await sessions.useLink(digestOf(linkToken), isoTime(now));
    if (companyId === undefined) return undefined;
    const expiresAt = isoTime(now + SESSION_SECONDS * 1_000);
    await sessions.insert({ digest: digestOf(token), companyId, expiresAt });
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
