import type { ApplicationStatus } from '../../src/contract/values.ts';
import type { Queries } from '../../src/engine/store/store.ts';

const BASICS = {
  firstName: 'Kim',
  lastName: 'Lee',
  email: 'kim@mail.example',
  phone: '555 0100',
  location: 'Austin',
  resume: 'none',
};

/** Stores the application without validation or charges. */
export async function storeApplication(
  { applications }: Queries,
  jobId: number,
  status: ApplicationStatus = 'pending',
  receivedAt = '2026-03-02T09:00:00.000Z',
  answers: readonly { readonly questionId: string; readonly answer: string }[] = [],
): Promise<number> {
  const row = {
    job_id: jobId,
    status: 'pending' as const,
    received_at: receivedAt,
    basics: JSON.stringify(BASICS),
    email_key: null,
    answers: JSON.stringify(answers),
    met: '[]',
    is_qualified: 0,
    decided_at: null,
  };
  const id = Number(await applications.insert(row));
  await applications.countReceived(jobId);
  if (status !== 'pending') await applications.move({ ...row, id }, status, receivedAt);
  return id;
}
