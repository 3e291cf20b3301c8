import type { PartnerCommand } from '../cli/base-command.ts';

/** A command's module: its default export is the class. */
interface CommandModule {
  readonly default: typeof PartnerCommand;
}

/** Every command by its name, loaded when it is called: what the table does not name is no command. */
export const COMMANDS = {
  'jobs create': () => import('./jobs/create.ts'),
  'jobs update': () => import('./jobs/update.ts'),
  'jobs publish': () => import('./jobs/publish.ts'),
  'jobs pause': () => import('./jobs/pause.ts'),
  'jobs resume': () => import('./jobs/resume.ts'),
  'jobs close': () => import('./jobs/close.ts'),
  'jobs get': () => import('./jobs/get.ts'),
  'jobs list': () => import('./jobs/list.ts'),
  'jobs watch': () => import('./jobs/watch.ts'),
  'jobs repost': () => import('./jobs/repost.ts'),
  'jobs export': () => import('./jobs/export.ts'),
  'jobs validate': () => import('./jobs/validate.ts'),
  'jobs plan': () => import('./jobs/plan.ts'),
  'jobs apply': () => import('./jobs/apply.ts'),
  'locations search': () => import('./locations/search.ts'),
  'locations pick': () => import('./locations/pick.ts'),
  'budgets set': () => import('./budgets/set.ts'),
  'budgets get': () => import('./budgets/get.ts'),
  'budgets clear': () => import('./budgets/clear.ts'),
  'budgets simulate': () => import('./budgets/simulate.ts'),
  'auth login': () => import('./auth/login.ts'),
  'auth logout': () => import('./auth/logout.ts'),
  'auth status': () => import('./auth/status.ts'),
  'auth list': () => import('./auth/list.ts'),
  'auth switch': () => import('./auth/switch.ts'),
  'engine serve': () => import('./engine/serve.ts'),
  'engine status': () => import('./engine/status.ts'),
  'engine reset': () => import('./engine/reset.ts'),
  'engine apply': () => import('./engine/apply.ts'),
  'engine keys create': () => import('./engine/keys/create.ts'),
  'engine keys list': () => import('./engine/keys/list.ts'),
  'engine keys revoke': () => import('./engine/keys/revoke.ts'),
  'engine companies create': () => import('./engine/companies/create.ts'),
  'engine companies list': () => import('./engine/companies/list.ts'),
  'engine invoice': () => import('./engine/invoice.ts'),
  'engine terms show': () => import('./engine/terms/show.ts'),
  'engine terms issue': () => import('./engine/terms/issue.ts'),
  'engine clock show': () => import('./engine/clock/show.ts'),
  'engine clock advance': () => import('./engine/clock/advance.ts'),
  'engine clock set': () => import('./engine/clock/set.ts'),
  'engine clock reset': () => import('./engine/clock/reset.ts'),
  dashboard: () => import('./dashboard/open.ts'),
  'dashboard accept-terms': () => import('./dashboard/accept-terms.ts'),
  'dashboard add-card': () => import('./dashboard/add-card.ts'),
  'dashboard remove-card': () => import('./dashboard/remove-card.ts'),
  'dashboard set-budget': () => import('./dashboard/set-budget.ts'),
  'dashboard applications list': () => import('./dashboard/applications/list.ts'),
  'dashboard applications show': () => import('./dashboard/applications/show.ts'),
  'dashboard applications accept': () => import('./dashboard/applications/accept.ts'),
  'dashboard applications reject': () => import('./dashboard/applications/reject.ts'),
  'dashboard status': () => import('./dashboard/status.ts'),
  schema: () => import('./schema.ts'),
  doctor: () => import('./doctor/doctor.ts'),
  completion: () => import('./completion/completion.ts'),
  help: () => import('./help/help.ts'),
  version: () => import('./version.ts'),
} as const satisfies Record<string, () => Promise<CommandModule>>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
