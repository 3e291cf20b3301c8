import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import type { Queries } from '../store/store.ts';

/** How long a file that no application names is kept, in ms. */
export const UNCLAIMED_MS = 24 * 60 * 60 * 1000;

/** What the files of anonymous senders may come to until an application names them. */
export const UPLOAD_QUOTAS = {
  sender: { files: 500, bytes: 100 * 1024 * 1024 },
  all: { files: 10_000, bytes: 2 * 1024 * 1024 * 1024 },
} as const;

/** A file that somebody wants to send. */
export interface Upload {
  /** Whom it counts for; undefined for a file of this process, which no quota holds. */
  readonly sender: string | undefined;
  readonly bytes: number;
  /** The engine's time, in epoch ms. */
  readonly now: number;
}

/** Why a file cannot be taken now: its sender, or all of them, have too many waiting; undefined where it can. */
export async function quotaFault(
  files: Pick<Queries['files'], 'waiting'>,
  { sender, bytes, now }: Upload,
): Promise<PartnerError | undefined> {
  if (sender === undefined) return undefined;
  for (const [whose, quota] of Object.entries(UPLOAD_QUOTAS)) {
    const waiting = await files.waiting(whose === 'sender' ? sender : undefined);
    if (waiting.files < quota.files && waiting.bytes + bytes <= quota.bytes) continue;
    const oldestAt = Date.parse(waiting.oldestAt ?? isoTime(now));
    return new PartnerError(whose === 'sender' ? 'RATE_LIMITED' : 'UNAVAILABLE', {
      message: `too many files wait for an application${whose === 'sender' ? ' from this address' : ''}`,
      hint: 'apply with them, or wait: a file that no application names is deleted after 24 hours',
      retryAfterSeconds: Math.max(1, Math.ceil((oldestAt + UNCLAIMED_MS - now) / 1000)),
    });
  }
  return undefined;
}
