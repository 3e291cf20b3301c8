import type { PartnerCommand } from '../cli/base-command.ts';

/** Every command by its name, loaded when it is called: what the table does not name is no command. */
export const COMMANDS = {
  'jobs create': async () => (await import('./jobs/create.ts')).default,
  'jobs update': async () => (await import('./jobs/update.ts')).default,
  'jobs publish': async () => (await import('./jobs/transitions.ts')).JobsPublish,
  'jobs pause': async () => (await import('./jobs/transitions.ts')).JobsPause,
  'jobs resume': async () => (await import('./jobs/transitions.ts')).JobsResume,
  'jobs close': async () => (await import('./jobs/transitions.ts')).JobsClose,
  'jobs get': async () => (await import('./jobs/one-job.ts')).JobsGet,
  'jobs list': async () => (await import('./jobs/list.ts')).default,
  'jobs watch': async () => (await import('./jobs/watch.ts')).default,
  'jobs repost': async () => (await import('./jobs/one-job.ts')).JobsRepost,
  'jobs export': async () => (await import('./jobs/export.ts')).default,
  'jobs validate': async () => (await import('./jobs/validate.ts')).default,
  'jobs plan': async () => (await import('./jobs/plan.ts')).default,
  'jobs import': async () => (await import('./jobs/import.ts')).default,
  'jobs apply': async () => (await import('./jobs/apply.ts')).default,
  'locations search': async () => (await import('./locations/search.ts')).default,
  'locations resolve': async () => (await import('./locations/resolve.ts')).default,
  'locations pick': async () => (await import('./locations/pick.ts')).default,
  'budgets set': async () => (await import('./budgets/caps.ts')).BudgetsSet,
  'budgets get': async () => (await import('./budgets/caps.ts')).BudgetsGet,
  'budgets clear': async () => (await import('./budgets/caps.ts')).BudgetsClear,
  'budgets simulate': async () => (await import('./budgets/simulate.ts')).default,
  'auth login': async () => (await import('./auth/login.ts')).default,
  'auth logout': async () => (await import('./auth/profiles.ts')).AuthLogout,
  'auth status': async () => (await import('./auth/status.ts')).default,
  'auth list': async () => (await import('./auth/list.ts')).default,
  'auth switch': async () => (await import('./auth/profiles.ts')).AuthSwitch,
  'engine serve': async () => (await import('./engine/serve.ts')).default,
  'engine status': async () => (await import('./engine/database.ts')).EngineStatus,
  'engine backup': async () => (await import('./engine/backup.ts')).default,
  'engine restore': async () => (await import('./engine/restore.ts')).default,
  'engine migrate': async () => (await import('./engine/migrate.ts')).default,
  'engine reset': async () => (await import('./engine/database.ts')).EngineReset,
  'engine apply': async () => (await import('./engine/apply.ts')).default,
  'engine openapi': async () => (await import('./engine/openapi.ts')).default,
  'engine keys create': async () => (await import('./engine/keys.ts')).KeysCreate,
  'engine keys list': async () => (await import('./engine/keys.ts')).KeysList,
  'engine keys revoke': async () => (await import('./engine/keys.ts')).KeysRevoke,
  'engine companies create': async () => (await import('./engine/companies.ts')).CompaniesCreate,
  'engine companies list': async () => (await import('./engine/companies.ts')).CompaniesList,
  'engine invoice': async () => (await import('./engine/invoice.ts')).default,
  'engine terms show': async () => (await import('./engine/terms.ts')).TermsShow,
  'engine terms issue': async () => (await import('./engine/terms.ts')).TermsIssue,
  'engine clock show': async () => (await import('./engine/clock.ts')).ClockShow,
  'engine clock advance': async () => (await import('./engine/clock.ts')).ClockAdvance,
  'engine clock set': async () => (await import('./engine/clock.ts')).ClockSet,
  'engine clock reset': async () => (await import('./engine/clock.ts')).ClockReset,
  dashboard: async () => (await import('./dashboard/open.ts')).default,
  'dashboard accept-terms': async () => (await import('./dashboard/company.ts')).DashboardAcceptTerms,
  'dashboard add-card': async () => (await import('./dashboard/company.ts')).DashboardAddCard,
  'dashboard remove-card': async () => (await import('./dashboard/company.ts')).DashboardRemoveCard,
  'dashboard set-budget': async () => (await import('./dashboard/set-budget.ts')).default,
  'dashboard applications list': async () =>
    (await import('./dashboard/applications/applications.ts')).ApplicationsList,
  'dashboard applications show': async () =>
    (await import('./dashboard/applications/applications.ts')).ApplicationsShow,
  'dashboard applications accept': async () =>
    (await import('./dashboard/applications/decide.ts')).ApplicationsAccept,
  'dashboard applications reject': async () =>
    (await import('./dashboard/applications/decide.ts')).ApplicationsReject,
  'dashboard status': async () => (await import('./dashboard/company.ts')).DashboardStatus,
  schema: async () => (await import('./schema.ts')).default,
  doctor: async () => (await import('./doctor/doctor.ts')).default,
  completion: async () => (await import('./completion/completion.ts')).default,
  help: async () => (await import('./help/help.ts')).default,
  version: async () => (await import('./version.ts')).default,
} as const satisfies Record<string, () => Promise<typeof PartnerCommand>>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
