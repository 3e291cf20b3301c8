/** The topics in the order in which help lists them, and what each is for. */
export const TOPICS: Readonly<Record<string, string>> = {
  jobs: 'Check, create, publish, edit, pause, resume and close listings',
  locations: 'Find the canonical places a listing may name',
  budgets: "Cap what a listing's applicants may cost",
  auth: 'Log in to a server and switch between profiles',
  dashboard: 'Open the dashboard, and do on the command line what people do in it',
  'dashboard applications': 'List, accept and reject applications on the bundled engine',
  engine: 'Run the bundled engine and manage its companies and keys',
  'engine keys': 'Issue and revoke partner keys of the bundled engine',
  'engine terms': 'Show and issue the employer terms of the bundled engine',
  'engine clock': "Move the bundled engine's time, for everything that depends on it",
  'engine companies': 'Create and list companies of the bundled engine',
};
