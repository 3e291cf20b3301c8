import { PartnerError } from '../../../contract/errors.ts';
import { type ListedApplication, listedApplication } from '../../applications/decide-application.ts';
import type { EngineParts } from '../../parts.ts';
import { idIn } from '../models/jobs.ts';
import type { DashboardRoute, Reply, Visit } from '../visit.ts';

/** What candidates have sent with their applications: to be saved, never shown. */
export const FILE_VISITS: readonly DashboardRoute[] = [
  {
    method: 'GET',
    path: '/applications/:id/resume',
    async handle(visit, parts) {
      return download(parts, (await applicationIn(visit, parts)).resume);
    },
  },
  {
    method: 'GET',
    path: '/applications/:id/answers/:question',
    async handle(visit, parts) {
      const { jobId, answers } = await applicationIn(visit, parts);
      const job = await parts.store.read.jobs.find(visit.company.id, jobId);
      const question = job?.questions.find(({ id }) => id === visit.params.question);
      const given = answers.find(({ questionId }) => questionId === question?.id);
      // An answer in words may be the id of somebody else's file.
      const isFile = question?.answerFormat === 'FILE' && typeof given?.answer === 'string';
      return download(parts, isFile ? (given.answer as string) : undefined);
    },
  },
];

/** The application that an address names. Throws NOT_FOUND, also for another company's. */
async function applicationIn({ company, params }: Visit, { store }: EngineParts): Promise<ListedApplication> {
  const id = idIn(params.id);
  const row = id === undefined ? undefined : await store.read.applications.find(company.id, id);
  if (row === undefined) throw notThere('application');
  return listedApplication(row);
}

async function download({ files }: EngineParts, fileId: string | undefined): Promise<Reply> {
  const file = fileId === undefined ? undefined : await files.open(fileId);
  if (file === undefined) throw notThere('file');
  const { name, type } = file.row;
  return { download: { name, type, content: new Uint8Array(file.content) } };
}

function notThere(what: string): PartnerError {
  return new PartnerError('NOT_FOUND', {
    message: `there is no such ${what}`,
    hint: 'go back, and load the page again',
  });
}
