import type { DashboardRoute } from './visit.ts';

/** Every address of the dashboard for somebody who is signed in. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [];
