export interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly next?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that is no error of the contract's table. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

const FRESH_LINK = 'Run `partner dashboard` on the machine of the engine: it prints a fresh link.';
const GO_BACK = 'Go back, load the page again, and send the form from there.';

export const REFUSALS = {
  signedOut: {
    status: 401,
    title: 'You are not signed in',
    message: 'This page is for the people of one company. A session lasts 12 hours.',
    next: FRESH_LINK,
  },
  deadLink: {
    status: 403,
    title: 'This link does not sign in',
    message:
      'A sign-in link works once, within 10 minutes. This one was used, has expired, or is not a link of this engine.',
    next: `${FRESH_LINK} If you are signed in already, go to /dashboard.`,
  },
  fetchedAhead: {
    status: 503,
    title: 'Open this link to sign in',
    message: 'A sign-in link works once, so a browser that loads pages ahead does not use it up.',
    next: 'Open the link.',
  },
  foreignHost: {
    status: 421,
    title: 'This is not the address of the dashboard',
    message: 'The engine listens on this machine only, and answers only to the names of this machine.',
    next: 'Open it as 127.0.0.1 or localhost: `partner dashboard` prints the whole address.',
  },
  foreignForm: {
    status: 403,
    title: 'The form came from another site',
    message: 'Nothing was changed. Forms are taken from the pages of this dashboard only.',
    next: GO_BACK,
  },
  forgedForm: {
    status: 403,
    title: 'The form does not belong to this session',
    message: 'Nothing was changed. The form was made for another session or without one.',
    next: GO_BACK,
  },
  noSuchPage: {
    status: 404,
    title: 'Page not found',
    message: 'The dashboard has nothing at this address.',
    next: 'Check the address, or go to the jobs of the company: /dashboard.',
  },
} as const satisfies Record<string, Refusal>;
