import type { Queries } from '../../../src/engine/store/store.ts';

/** Stores only the row of a file, not its content. */
export async function storeFileRow({ files }: Queries, id = 'fil_cv'): Promise<string> {
  await files.insert({
    id,
    digest: '0',
    name: 'cv.pdf',
    type: 'application/pdf',
    bytes: 4,
    uploaded_at: '2026-03-02T09:00:00.000Z',
    claimed_at: null,
    sender: null,
  });
  return id;
}
