import { PartnerError } from '../../../contract/errors.ts';
import { readAtMost, refuseEncoded } from '../../http/body.ts';
import { FILE_BYTES_MAX, fileTooLarge } from '../files.ts';
import type { CandidateRoute } from './route.ts';

/** Takes the bytes of a file as the body; what type they are of is not asked but looked at. */
export const sendFile: CandidateRoute = async ({ request, sender, query }, { files, clock }) => {
  const { headers } = request;
  refuseEncoded(headers);
  if (/^\s*multipart\//i.test(headers.get('content-type') ?? '')) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
      message: "the body must be the file's bytes alone, not a form",
    });
  }
  const bytes = Number(headers.get('content-length')) || FILE_BYTES_MAX;
  await files.admit({ sender, bytes, now: clock() });
  const content = await readAtMost(request, FILE_BYTES_MAX, fileTooLarge);
  const stored = await files.put({ name: query.get('name') ?? '', content, sender, now: clock() });
  return { status: 201, json: JSON.stringify(stored) };
};
