interface ServedShown {
  readonly origin: string;
  readonly isOpenToOthers: boolean;
  readonly isAnnounced: boolean;
}

/** Where the dashboard of a server is, how to get in, and what there is to beware of. */
export function dashboardNote({ origin, isOpenToOthers, isAnnounced }: ServedShown): string[] {
  const way = isAnnounced
    ? '`partner dashboard` signs you in'
    : '`partner dashboard` will not find it, as nothing can be written beside the database';
  const note = `the dashboard is on ${origin}/dashboard; ${way}`;
  const warning =
    'warning: it is open to other machines, over plain http: whoever can listen on the network can sign in as you do';
  return isOpenToOthers ? [note, warning] : [note];
}
