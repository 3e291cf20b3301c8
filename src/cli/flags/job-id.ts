import { PartnerError } from '../../contract/errors.ts';

/** A job's id as it was typed. Throws USAGE for what cannot be one; whether it exists is for the server to say. */
export function jobId(text: string): number {
  return idOf(text, "a job's", 'partner jobs list');
}

/** An application's id. Throws as `jobId` does. */
export function applicationId(text: string): number {
  return idOf(text, "an application's", 'partner dashboard applications list');
}

/** Several applications' ids, each once, in the order given. */
export function applicationIds(texts: readonly string[]): number[] {
  return [...new Set(texts.map(applicationId))];
}

function idOf(text: string, whose: string, list: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id)) return id;
  throw new PartnerError('USAGE', {
    message: `\`${text}\` cannot be ${whose} id: an id is a whole number`,
    hint: `\`${list}\` shows the ids`,
  });
}

/** Several ids, each once, in the order given. */
export function jobIds(texts: readonly string[]): number[] {
  return [...new Set(texts.map(jobId))];
}
