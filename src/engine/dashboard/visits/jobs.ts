import { PartnerError } from '../../../contract/errors.ts';
import { APPLICATION_STATUSES } from '../../../contract/values.ts';
import { DECISIONS, decideApplication } from '../../applications/decide-application.ts';
import { jobIn, loadJob } from '../models/job.ts';
import { idIn, loadJobs } from '../models/jobs.ts';
import { jobPage } from '../pages/job.ts';
import { jobsPage } from '../pages/jobs.ts';
import { titleOf } from '../pages/listing.ts';
import { address, ROOT } from '../pages/parts.ts';
import type { DashboardRoute } from '../visit.ts';

/** The company's jobs, and who has applied to them. */
export const JOB_VISITS: readonly DashboardRoute[] = [
  {
    method: 'GET',
    path: '/',
    async handle(visit, { store }) {
      return { page: { title: 'Jobs', body: jobsPage(await loadJobs(store.read, visit), visit) } };
    },
  },
  {
    method: 'GET',
    path: '/jobs/:id',
    async handle(visit, { store }) {
      const job = await jobIn(store.read, visit);
      // Decision 18: it is opened now, and what comes from here on is new the next time.
      if (visit.isLookedAt && job.newApplicantCount > 0)
        await store.write(({ applications }) => applications.forgetUnseen(job.id));
      const page = await loadJob(store.read, job, visit);
      return { page: { title: titleOf(job), body: jobPage(page, visit) } };
    },
  },
  {
    method: 'POST',
    path: '/applications/:id/decide',
    async handle({ company, params, form, now }, { store }) {
      const id = idIn(params.id);
      const to = DECISIONS.find((one) => one === form.get('to'));
      if (id === undefined || to === undefined) {
        throw new PartnerError('NOT_FOUND', {
          message: 'there is no such application or decision',
          hint: 'go back, and load the page again',
        });
      }
      const { jobId } = await store.write((queries) => decideApplication(queries, company.id, id, to, now));
      const status = APPLICATION_STATUSES.find((one) => one === form.get('status'));
      const back = { status, before: idIn(form.get('before')), done: to };
      // Under a filter the application may have gone from the list.
      const at = status === undefined ? `#application-${id}` : '';
      return { redirect: address(`${ROOT}/jobs/${jobId}`, back) + at };
    },
  },
];
