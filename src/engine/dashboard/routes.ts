import type { DashboardRoute } from './visit.ts';
import { BILLING_VISITS } from './visits/billing.ts';
import { FILE_VISITS } from './visits/files.ts';
import { JOB_VISITS } from './visits/jobs.ts';
import { KEY_VISITS } from './visits/keys.ts';
import { TERMS_VISITS } from './visits/terms.ts';

/** Every address of the dashboard for somebody who is signed in. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  ...JOB_VISITS,
  ...FILE_VISITS,
  ...BILLING_VISITS,
  ...TERMS_VISITS,
  ...KEY_VISITS,
];
