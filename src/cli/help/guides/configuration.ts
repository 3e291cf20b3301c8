import type { Directories } from '../../settings/directories.ts';
import type { Guide, GuideEntry } from '../guide-view.ts';

/** Every variable that is read; a test looks into the source for others. */
const VARIABLES: readonly GuideEntry[] = [
  {
    name: 'PARTNER_BASE_URL',
    about: "the API's root, version included: https://api.example.com/v1; `local` is the bundled engine",
  },
  { name: 'PARTNER_PROFILE', about: 'the profile to use; `bundled` is the bundled engine' },
  { name: 'PARTNER_API_KEY', about: 'the key; it goes to whatever server is chosen' },
  {
    name: 'PARTNER_API_KEY_FILE',
    about: 'a file that holds the key alone, where PARTNER_API_KEY is not set',
  },
  { name: 'PARTNER_CONFIG_DIR', about: 'where the profiles are kept' },
  { name: 'PARTNER_DATA_DIR', about: "where the bundled engine's database is kept" },
  {
    name: 'XDG_CONFIG_HOME, XDG_DATA_HOME',
    about: 'on Linux, where both are below a directory `partner`, unless the two above are set',
  },
  { name: 'APPDATA, LOCALAPPDATA', about: 'the same on Windows' },
  {
    name: 'PARTNER_CA_FILE',
    about: "PEM certificates to trust for a server, beside those of Node; else the profile's",
  },
  {
    name: 'NODE_EXTRA_CA_CERTS',
    about: 'of Node itself: certificates to trust for every program that runs on it',
  },
  { name: 'PARTNER_PROXY', about: "the proxy for a server; else the profile's, else the next" },
  {
    name: 'HTTP_PROXY, HTTPS_PROXY, NO_PROXY',
    about: 'a proxy, and the hosts that need none; lower case is read as well',
  },
  { name: 'PARTNER_TIMEOUT', about: "the longest a call may take; else the profile's, else 30s" },
  {
    name: 'PARTNER_LOCATION_QUERY_PARAMETER',
    about: "what a server calls the search text of a location search; else the profile's, else q",
  },
  { name: 'PARTNER_LIMITS', about: 'none: a server has other size limits, check none before sending' },
  {
    name: 'PARTNER_MAX_BID_CENTS',
    about: 'refuse a bid above so many cents, as --max-bid-cents does',
  },
  {
    name: 'PARTNER_REQUIRE_BUDGET',
    about: 'true: refuse to publish a listing without a cap of its own, as --require-budget does',
  },
  { name: 'NO_COLOR', about: 'no colour, unless it is empty' },
  { name: 'FORCE_COLOR', about: 'colour also in a pipe; 0 or false: none' },
  { name: 'TERM', about: 'dumb: no colour, no spinner, no question' },
  {
    name: 'CI',
    about:
      'no spinner, no question, no browser, and a line on stderr where no server is named; 0 or false is as if it were not set',
  },
  { name: 'SSH_CONNECTION, SSH_TTY', about: 'set: `partner dashboard` opens no browser' },
  { name: 'DISPLAY, WAYLAND_DISPLAY', about: 'both empty on Linux: no browser either' },
  { name: 'WSL_DISTRO_NAME', about: 'set: the browser is that of Windows' },
  { name: 'VISUAL, EDITOR', about: 'what a description is written in; VISUAL comes first' },
  {
    name: 'GITHUB_STEP_SUMMARY',
    about: 'the summary on GitHub: a `--report` that names it is added to what is there',
  },
];

/** Where a call goes, every variable and file of this machine's user, and which of them wins. */
export function configuration({ config, data }: Directories): Guide {
  return {
    topic: 'configuration',
    about:
      'A flag wins over the environment, the environment over a profile, a profile over the default. `partner auth status` says which of them won, `partner doctor` checks all of it.',
    sections: [
      {
        heading: 'WHERE A CALL GOES',
        entries: [
          {
            name: '1 flag',
            about: '--local for the bundled engine, --base-url URL, or the server of --profile NAME',
          },
          { name: '2 environment', about: 'PARTNER_BASE_URL, or the server of PARTNER_PROFILE' },
          { name: '3 profile', about: 'the current one: `partner auth login`, `partner auth switch NAME`' },
          { name: '4 default', about: 'the bundled engine, a whole service in this process' },
        ],
      },
      {
        heading: 'WHERE NO SERVER IS NAMED',
        text: 'PARTNER_BASE_URL, PARTNER_PROFILE, PARTNER_API_KEY or PARTNER_API_KEY_FILE set and empty is what a missing secret of a CI looks like: every command that calls is exit 2 then, unless --local or PARTNER_BASE_URL=local mean the bundled engine. With none of them set, a CI is told on stderr and in each report that no server is named. `dashboard` and `engine` commands act on the bundled engine only: where a server is named they are exit 2 without --local.',
      },
      {
        heading: 'WHICH KEY IT CARRIES',
        text: "A key is never a flag: shells keep a history. PARTNER_API_KEY wins, then PARTNER_API_KEY_FILE, then the profile's; but whoever names a profile with --profile gets that one's key first. The key of a profile goes to its own server alone. It is never sent over plain http to another machine, unless --allow-insecure says so.",
      },
      { heading: 'THE OTHER FLAGS OF EVERY CALL', entries: FLAGS },
      { heading: 'ENVIRONMENT', entries: VARIABLES },
      { heading: 'FILES ON THIS MACHINE', entries: files(config, data) },
    ],
  };
}

const FLAGS: readonly GuideEntry[] = [
  { name: '--timeout TIME', about: 'the longest a call may take: 500ms, 30s (default), 2m' },
  { name: '--no-input', about: 'never ask a question; what has to be answered is exit 2' },
  { name: '--json', about: 'one JSON document on stdout, for an error too' },
  { name: '--quiet', about: 'results only: no hints, no progress' },
  { name: '--debug', about: 'trace requests and answers on stderr, the key masked' },
];

function files(config: string | undefined, data: string | undefined): GuideEntry[] {
  const none = 'nowhere: HOME is not set';
  return [
    { name: 'profiles', about: `${config ?? none}\nconfig.json, with the keys in it: for you alone (0600)` },
    {
      name: 'data',
      about: `${data ?? none}\nthe bundled engine's database, the ids of the jobs you made, the places that servers have shown`,
    },
    { name: 'bulk', about: '.partner/state.json beside the files: what `jobs apply` remembers; commit it' },
  ];
}
