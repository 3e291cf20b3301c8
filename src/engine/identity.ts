import { createHmac, randomBytes } from 'node:crypto';
import type { App } from './parts.ts';

/** Where a server proves which one it is. */
const PATH = '/.well-known/partner-engine';
/** More of a challenge is not hashed for anybody. */
const CHALLENGE_CHARACTERS_MAX = 100;

/** What a server is known by to whoever may read this machine's files. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The application of a server that can prove that it knows `secret`. */
export function identifiable(fetch: App, secret: string): App {
  return async (request, arrival) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== PATH) return fetch(request, arrival);
    const challenge = (searchParams.get('challenge') ?? '').slice(0, CHALLENGE_CHARACTERS_MAX);
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
    return new Response(proofOf(secret, challenge), { headers });
  };
}

/** What to ask a server at `origin`, and what the one that knows `secret` answers. */
export function newChallenge(origin: string, secret: string): { readonly url: URL; readonly proof: string } {
  const challenge = randomBytes(16).toString('base64url');
  return { url: new URL(`${PATH}?challenge=${challenge}`, origin), proof: proofOf(secret, challenge) };
}

function proofOf(secret: string, challenge: string): string {
  return createHmac('sha256', secret).update(challenge).digest('base64url');
}
