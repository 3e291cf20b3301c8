import { timingSafeEqual } from 'node:crypto';
import { PartnerError } from '../../contract/errors.ts';
import { digestOf } from '../companies/secrets.ts';
import { readAtMost } from '../http/body.ts';
import { isOfOtherOrigin } from '../http/request-origin.ts';
import { REFUSALS, Refused } from './refusals.ts';

const FORM_BYTES_MAX = 64 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:; *charset="?utf-?8"? *)?$/i;

/** The fields of a form of this session, of which `csrf` is the token. Throws Refused and PartnerErrors. */
export async function receiveForm(request: Request, csrf: string): Promise<URLSearchParams> {
  refuseForeign(request);
  refuseOtherTypes(request.headers);
  const form = new URLSearchParams(
    new TextDecoder().decode(await readAtMost(request, FORM_BYTES_MAX, formTooLarge)),
  );
  if (!isSame(form.getAll('csrf').join(), csrf)) throw new Refused(REFUSALS.forgedForm);
  return form;
}

/** Browsers say where a form comes from, in words that no page can change. */
function refuseForeign(request: Request): void {
  const origin = request.headers.get('origin');
  const isForeign = origin !== null && origin !== new URL(request.url).origin;
  if (isForeign || isOfOtherOrigin(request)) throw new Refused(REFUSALS.foreignForm);
}

function refuseOtherTypes(headers: Headers): void {
  const type = headers.get('content-type') ?? '';
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  if (FORM_TYPE.test(type) && isPlain) return;
  throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
    message: 'a form of the dashboard is application/x-www-form-urlencoded, and not compressed',
  });
}

function formTooLarge(): PartnerError {
  return new PartnerError('PAYLOAD_TOO_LARGE', {
    message: `the form is larger than ${FORM_BYTES_MAX / 1024} KiB`,
    hint: 'shorten what was typed, and send it again',
  });
}

/** Takes the same time wherever two texts differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
}
