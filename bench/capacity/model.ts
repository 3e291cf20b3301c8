/** What a live listing has to do with a day. Assumed: no service of this kind publishes its own; measure yours, and change it. */
const CALLS_PER_LISTING_AND_DAY = {
  /** A partner's system compares each listing with its own four times a day. */
  read: 4,
  /** In pages of 50, four times a day. */
  list: 0.08,
  edit: 0.3,
  /** A listing lives 30 days: the specification says so. */
  create: 1 / 30,
  /** Candidates come over a page of results, and open what they like. */
  candidateList: 10,
  candidateView: 20,
  /** With a file each. */
  apply: 1,
} as const;
/** The busiest hour against the mean of the day. */
const PEAK = 3;
/** What a process or a server is planned to compute, so that a failure or a peak within the hour is no outage. */
const UTILISATION = 0.5;
const LISTING_DAYS = 30;
/** Nothing is deleted: closed listings and their applications stay. */
const KEPT_DAYS = 365;
const RESUME_BYTES = 150_000;
const POOL_SIZE = 10;
/** A large server of a cloud, and what one PostgreSQL is still comfortable with. */
const DATABASE = { cores: 32, terabytes: 8, connections: 500 } as const;

export type Call = keyof typeof CALLS_PER_LISTING_AND_DAY;
export const CALLS = Object.keys(CALLS_PER_LISTING_AND_DAY) as Call[];

/** CPU in ms for one call, bytes on the disk for one row with all that it brings. */
export interface Costs {
  readonly engineMs: Readonly<Record<Call, number>>;
  readonly databaseMs: Readonly<Record<Call, number>>;
  readonly jobBytes: number;
  readonly applicationBytes: number;
}

/** What so many live listings take in their busiest hour, a year after the start; a row of the table. */
export function capacityFor(listings: number, dialect: 'sqlite' | 'postgres', costs: Costs): string[] {
  const perSecond = (call: Call) => (listings * CALLS_PER_LISTING_AND_DAY[call] * PEAK) / 86_400;
  const coresOf = (ms: Costs['engineMs']) =>
    CALLS.reduce((sum, call) => sum + perSecond(call) * (ms[call] / 1_000), 0) / UTILISATION;
  const [engineCores, databaseCores] = [coresOf(costs.engineMs), coresOf(costs.databaseMs)];
  const jobs = (listings * KEPT_DAYS) / LISTING_DAYS;
  const applications = listings * CALLS_PER_LISTING_AND_DAY.apply * KEPT_DAYS;
  const rowTerabytes = (jobs * costs.jobBytes + applications * costs.applicationBytes) / 1e12;
  const fileTerabytes = (applications * RESUME_BYTES) / 1e12;
  // One SQLite file has one process that serves it; of several, one is there for the failure of another.
  const processes = dialect === 'sqlite' ? 1 : Math.max(2, Math.ceil(engineCores));
  const disk = (rowTerabytes + fileTerabytes) / DATABASE.terabytes;
  const loads: Record<string, number> =
    dialect === 'sqlite'
      ? { 'the process': engineCores, disk }
      : {
          'database CPU': databaseCores / DATABASE.cores,
          disk,
          connections: (processes * POOL_SIZE) / DATABASE.connections,
        };
  const servers =
    dialect === 'sqlite' ? '' : ` on ${Math.ceil(Math.max(databaseCores / DATABASE.cores, disk))}`;
  const first = Object.entries(loads)
    .sort(([, a], [, b]) => b - a)
    .map(([what, load]) => `${what} ${(100 * load).toFixed(load < 0.1 ? 1 : 0)} %`);
  return [
    listings.toLocaleString('en'),
    CALLS.reduce((sum, call) => sum + perSecond(call), 0).toFixed(1),
    `${engineCores.toFixed(2)} in ${processes}`,
    `${databaseCores.toFixed(2)}${servers}`,
    `${rowTerabytes.toFixed(3)} + ${fileTerabytes.toFixed(2)}`,
    first.join(', '),
  ];
}

export const HEADINGS = [
  'live listings',
  'calls a second',
  'engine cores in processes',
  'database cores on servers',
  'TB: rows + files',
  'what breaks first: its load',
];
