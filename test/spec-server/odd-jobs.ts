import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SpecUser } from './commands.ts';
import type { Variation } from './server.ts';

const ABSENT = Symbol('absent');

/** Values that a field of a job should not have, or not all fields. */
const odd = fc.constantFrom<unknown>(
  ...[null, ABSENT, 0, -1.5, '', 'x', true, [], [null], [1], ['x'], [[]], [{}], {}, { x: null }],
);

const FIELDS = [
  ...['title', 'status', 'description', 'remoteOption', 'remoteCountry', 'jobType', 'jobLevel', 'salaryMin'],
  ...[
    'salaryMax',
    'salaryPeriod',
    'bidPerQualifiedApplicantCents',
    'opportunityId',
    'atsJobUrl',
    'companyId',
  ],
  ...['locations', 'qualifications', 'questions', 'budgets', 'applicationCounts', 'isFrozen'],
  ...['newApplicantCount', 'publishedAt', 'expiresAt', 'closedAt', 'constructor'],
];

const ENTRY_FIELDS = [
  ...['locations.locationId', 'locations.city', 'locations.displayName', 'qualifications.text'],
  ...['qualifications.kind', 'qualifications.order', 'questions.prompt', 'questions.answerFormat'],
  ...['questions.options', 'questions.order', 'budgets.window', 'budgets.budgetCents', 'budgets.notes'],
  ...['applicationCounts.pending'],
];

type Change = readonly [path: string, value: unknown];

/** A few fields of a job, or of its entries, that hold something odd. */
const changes = fc.array(fc.tuple(fc.constantFrom(...FIELDS, ...ENTRY_FIELDS), odd), {
  minLength: 1,
  maxLength: 4,
});

const withField = (object: object, name: string, value: unknown): object =>
  Object.fromEntries(Object.entries({ ...object, [name]: value }).filter(([, field]) => field !== ABSENT));

function tampered(job: Record<string, unknown>, all: readonly Change[]): object {
  let changed: Record<string, unknown> = job;
  for (const [path, value] of all) {
    const [field = '', inner] = path.split('.');
    const whole = changed[field];
    const isObject = typeof whole === 'object' && whole !== null;
    if (inner !== undefined && !isObject) continue;
    const each = (entry: unknown) =>
      typeof entry === 'object' && entry !== null ? withField(entry, inner ?? '', value) : entry;
    const next = inner === undefined ? value : Array.isArray(whole) ? whole.map(each) : each(whole);
    changed = withField(changed, field, next) as Record<string, unknown>;
  }
  return changed;
}

/** Every command that meets a job, with the id of one. */
const COMMANDS: readonly ((id: string) => readonly string[])[] = [
  (id) => ['jobs', 'get', id],
  (id) => ['jobs', 'get', id, '--json'],
  () => ['jobs', 'list', '--limit', '2'],
  (id) => ['jobs', 'export', id],
  (id) => ['jobs', 'repost', id],
  (id) => ['jobs', 'update', id, '--title', 'Day nurse'],
  (id) => ['jobs', 'watch', id, '--until', 'ACTIVE', '--every', '1ms', '--for', '2ms'],
  (id) => ['jobs', 'pause', id, '--ensure'],
  (id) => ['jobs', 'resume', id],
  (id) => ['jobs', 'publish', id, '--ensure'],
  (id) => ['budgets', 'get', id],
  (id) => ['budgets', 'set', id, '--weekly-cents', '9000'],
  (id) => ['budgets', 'clear', id, '--window', 'DAILY'],
  (id) => ['budgets', 'simulate', '--job', id, '--days', '1'],
  () => ['jobs', 'plan', 'listing.json', '--state', 'odd.state'],
  () => ['jobs', 'apply', 'listing.json', '--state', 'odd.state'],
  (id) => ['jobs', 'close', id, '--yes'],
];

/** Through every command that meets a job: whatever its fields hold, none ends as a bug of the program. */
export async function noOddJobIsABug(numRuns: number): Promise<void> {
  const variation: Variation = { offersPause: true };
  const user = await SpecUser.of(variation);
  try {
    await fc.assert(
      fc.asyncProperty(changes, async (drawn) => {
        variation.tamper = undefined;
        const id = await user.job(true);
        await user.run(['jobs', 'apply', 'listing.json', '--state', 'odd.state', '--create-anyway']);
        variation.tamper = (job) => tampered(job, drawn);
        for (const argv of COMMANDS) {
          const { code, stdout, stderr } = await user.run(argv(id));
          const told = `partner ${argv(id).join(' ')}: exit ${code}\n${stdout}${stderr}`;
          assert.doesNotMatch(stdout + stderr, /bug in partner|UNEXPECTED|\bat .*\.js:/, told);
          assert.ok(code !== null, told);
        }
      }),
      { numRuns },
    );
  } finally {
    await user.server.close();
  }
}
