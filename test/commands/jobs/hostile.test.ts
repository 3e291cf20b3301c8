import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyView } from '../../../src/bulk/view/apply.ts';
import { planView } from '../../../src/bulk/view/plan.ts';
import { changeLines, changesOnOneLine, sizeOfChange } from '../../../src/bulk/view/plan-diff.ts';
import { budgetLines, budgetStateLines, budgetTable, filledCap } from '../../../src/cli/budget-table.ts';
import { companyTable, dashboardStatus, engineStatus, keyTable } from '../../../src/cli/company-view.ts';
import { errorDetails, errorText } from '../../../src/cli/error-view.ts';
import { placesOf, placeTable } from '../../../src/cli/places/place-table.ts';
import { alone, differingCharacters, toldApart } from '../../../src/cli/terminal/apart.ts';
import { entryChanges } from '../../../src/cli/terminal/entry-diff.ts';
import { fieldLines } from '../../../src/cli/terminal/field-lines.ts';
import { textIn } from '../../../src/cli/terminal/read.ts';
import { shellWord } from '../../../src/cli/terminal/shell-word.ts';
import { type View, viewOf } from '../../../src/cli/terminal/view.ts';
import * as words from '../../../src/cli/terminal/words.ts';
import { termsAccepted, termsIssued, termsText } from '../../../src/cli/terms-view.ts';
import { loginText, profileTable } from '../../../src/commands/auth/profile-table.ts';
import { targetStatus } from '../../../src/commands/auth/target-view.ts';
import { simulationView } from '../../../src/commands/budgets/simulation-view.ts';
import { applicationCard } from '../../../src/commands/dashboard/applications/application-card.ts';
import {
  applicationTable,
  costOf,
  decisionLines,
  nameOf,
  styleOf,
} from '../../../src/commands/dashboard/applications/application-table.ts';
import { checkLines } from '../../../src/commands/doctor/checks-view.ts';
import { clockMove, clockState } from '../../../src/commands/engine/clock/clock-view.ts';
import { deliveredMany, deliveredOne } from '../../../src/commands/engine/delivered-view.ts';
import { FREE_COLUMNS, INVOICE_COLUMNS, invoiceTable } from '../../../src/commands/engine/invoice-view.ts';
import { certainGaps, gapFields, gapsSection } from '../../../src/commands/jobs/gaps-view.ts';
import { jobCard } from '../../../src/commands/jobs/job-card.ts';
import { jobChanges } from '../../../src/commands/jobs/job-changes.ts';
import { jobTable } from '../../../src/commands/jobs/job-table.ts';
import { jobLine, transitionLines } from '../../../src/commands/jobs/transitions-view.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import { joined } from '../../cli/terminal/joined.ts';
import { HOSTILE, hostile, hostileTexts, leakIn, SENT_KEY } from './hostile.ts';
import { EMPTY_DRAFT, LIVE_JOB, NOW } from './sample-job.ts';
import { SAMPLE_CAPS, SAMPLE_COMPANY_CAPS, sampleSimulation } from './sample-simulation.ts';

type Shown = unknown;
/** What a view shows of hostile values; or why nothing of it is looked at here. */
type Case = ((view: View) => Shown) | string;

const JOBS = [
  hostile(LIVE_JOB),
  hostileTexts(LIVE_JOB, ['status', 'kind', 'window', 'remoteOption', 'publishedAt', 'expiresAt']),
  hostileTexts(EMPTY_DRAFT, ['status']),
];
const [STRANGE = {}, LIVE = {}, DRAFT = {}] = JOBS as Record<string, unknown>[];
const PLACE = hostile(LIVE_JOB.locations[0]);
const ERROR = new PartnerError('VALIDATION_FAILED', {
  message: HOSTILE,
  fields: { [HOSTILE]: HOSTILE, title: HOSTILE },
  hint: HOSTILE,
  serverCode: HOSTILE,
});
const APPLICATION = {
  id: HOSTILE,
  jobId: HOSTILE,
  status: HOSTILE,
  firstName: HOSTILE,
  lastName: HOSTILE,
  email: HOSTILE,
  receivedAt: HOSTILE,
};
const NOTE = { code: HOSTILE, message: HOSTILE, hint: HOSTILE };
const CHANGES = ['title', 'description', HOSTILE, 'salaryMin', 'locations', 'questions', 'budgets'].flatMap(
  (field) => [
    { field, from: HOSTILE, to: `${HOSTILE.repeat(3)}more` },
    { field, from: (EMPTY_DRAFT as Record<string, unknown>)[field], to: STRANGE[field] },
    { field, from: STRANGE[field], to: LIVE[field] },
  ],
);
const ITEM = {
  key: `jobs/${HOSTILE}.json`,
  jobId: 12,
  status: HOSTILE,
  changes: CHANGES,
  notes: [NOTE],
  publish: true,
} as const;
const ACTIONS = ['create', 'update', 'publish', 'close', 'record', 'settle', 'held'] as const;
const RESULTS = ['created', 'failed', 'unknown', 'held', 'left'] as const;
const RAW = 'gives a value as it came: whoever shows it cleans it';
const OURS = 'shows what the source says of itself, and numbers';

/** Every function of every view, by its module: what is missing fails a test below. */
const VIEWS: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  apart: {
    toldApart: () => [toldApart(HOSTILE, `${HOSTILE}x`), toldApart(HOSTILE, HOSTILE.repeat(9))],
    alone: () => alone(HOSTILE),
    differingCharacters: () => differingCharacters(HOSTILE, `x${HOSTILE}`),
  },
  'application-card': {
    applicationCard: (view) =>
      ['', true, ['A'], {}].map((answer) =>
        applicationCard(
          {
            ...APPLICATION,
            ...hostile({ jobTitle: '', phone: '', location: '', decidedAt: '' }),
            charge: {
              outcome: 'skipped',
              amountCents: HOSTILE,
              filled: { target: HOSTILE, window: HOSTILE },
            },
            matched: [{ qualification: hostile({ text: '', kind: '' }), isMet: false }],
            answered: [{ question: hostile({ prompt: '', answerFormat: '' }), answer: hostile(answer) }],
            files: [{ question: hostile({ prompt: '' }), ...hostile({ name: '', bytes: '', savedAs: '' }) }],
          },
          view,
        ),
      ),
  },
  applications: {
    nameOf: () => nameOf(APPLICATION),
    costOf: () => costOf({ outcome: 'skipped', filled: { target: HOSTILE, window: HOSTILE } }),
    styleOf: () => styleOf(HOSTILE),
    applicationTable: (view) =>
      [{}, { isCsv: true }, { isWhole: true }].map((shape) =>
        applicationTable(
          [
            { ...APPLICATION, charge: { outcome: 'charged', amountCents: HOSTILE } },
            {
              ...APPLICATION,
              charge: { outcome: 'skipped', filled: { target: HOSTILE, window: HOSTILE } },
            },
          ],
          view,
          shape,
        ),
      ),
    decisionLines: (view) =>
      decisionLines(
        'accepted',
        [
          { id: 1, application: APPLICATION },
          { id: 2, error: ERROR },
        ],
        view,
      ),
  },
  apply: {
    applyView: (view) =>
      applyView(
        RESULTS.map((result) => ({
          item: ITEM,
          result,
          jobId: 12,
          error: result === 'held' ? undefined : ERROR,
        })),
        { summary: HOSTILE, command: `partner jobs apply ${shellWord(HOSTILE)}` },
        view,
      ),
  },
  budgets: {
    budgetTable: (view) => [
      budgetTable(STRANGE.budgets, view),
      budgetTable(LIVE.budgets, view, { isCsv: true }),
      budgetTable(LIVE.budgets, view, { isWhole: true }),
    ],
    filledCap: () => filledCap({ target: HOSTILE, window: HOSTILE }),
    budgetStateLines: (view) => [
      budgetStateLines(STRANGE.budgets, view),
      budgetStateLines(LIVE.budgets, view),
    ],
    budgetLines: (view) => [budgetLines(STRANGE.budgets, 1, view), budgetLines(LIVE.budgets, HOSTILE, view)],
  },
  checks: {
    checkLines: (view) => checkLines([{ name: 'Key', ok: false, found: HOSTILE, advice: HOSTILE }], view),
  },
  clock: {
    clockState: (view) => clockState({ now: HOSTILE, machineNow: HOSTILE, offsetMs: HOSTILE }, view),
    clockMove: (view) => clockMove({ now: HOSTILE, newWindows: [HOSTILE, HOSTILE] }, view),
  },
  delivered: {
    deliveredOne: (view) =>
      ['charged', 'skipped', HOSTILE].map((outcome) =>
        deliveredOne(
          {
            ...hostile({ id: '', jobId: '', receivedAt: '' }),
            charge: { outcome, amountCents: HOSTILE, filled: hostile({ target: '', window: '' }) },
          },
          { title: HOSTILE },
          view,
        ),
      ),
    deliveredMany: (view) =>
      deliveredMany(
        {
          ...hostile({ jobId: '', applications: '', charged: '', chargedCents: '', skipped: '', seed: '' }),
          skippedBy: [hostile({ target: '', window: '', applications: '' })],
        },
        { title: HOSTILE },
        view,
      ),
  },
  engine: {
    companyTable: (view) => companyTable([{ id: HOSTILE, name: HOSTILE }], view),
    keyTable: (view) =>
      keyTable([{ id: HOSTILE, companyId: HOSTILE, last4: HOSTILE, createdAt: HOSTILE }], view),
    engineStatus: (view) =>
      engineStatus({ databasePath: HOSTILE, jobs: { [HOSTILE]: 1, DRAFT: HOSTILE } }, view),
    dashboardStatus: (view) =>
      dashboardStatus(
        hostile({
          companyId: '',
          name: '',
          terms: { currentVersion: '', acceptedVersion: '' },
          card: { brand: '', last4: '' },
          budgets: [{ window: '', notes: '', spentCents: 1, budgetCents: 1, resetsAt: '' }],
        }),
        view,
      ),
  },
  'day-chart': { dayChart: OURS },
  'entry-diff': {
    isEntryField: RAW,
    entryChanges: () => CHANGES.map(({ field, from, to }) => entryChanges(field, from, to)),
  },
  'first-run': { firstRun: OURS, unnamedInCi: OURS },
  gaps: {
    gapFields: () => JOBS.map(gapFields),
    certainGaps: () => JOBS.map(certainGaps),
    gapsSection: (view) => gapsSection(DRAFT, { ...view, mend: () => '--flag' }),
  },
  guide: { guideText: OURS },
  help: { rootHelp: OURS, topicHelp: OURS, commandHelp: OURS },
  invoice: {
    invoiceTable: (view) =>
      [{}, { isCsv: true }, { isWhole: true }].flatMap((shape) =>
        [INVOICE_COLUMNS, FREE_COLUMNS].map((columns) =>
          invoiceTable(
            {
              month: HOSTILE,
              items: [
                {
                  jobId: HOSTILE,
                  title: HOSTILE,
                  lines: [{ bidCents: HOSTILE, filled: { target: HOSTILE, window: HOSTILE } }],
                },
              ],
              totalChargedCents: HOSTILE,
              totalSkippedCents: HOSTILE,
            },
            columns,
            view,
            shape,
          ),
        ),
      ),
  },
  'job-card': { jobCard: (view) => JOBS.map((job) => jobCard(job, view)) },
  'job-changes': {
    jobChanges: () => [jobChanges(STRANGE, LIVE), jobChanges(DRAFT, STRANGE), jobChanges({}, STRANGE)],
  },
  'job-table': {
    jobTable: (view) => [
      joined(jobTable(JOBS, view)),
      joined(jobTable(JOBS, view, { isCsv: true })),
      joined(jobTable(JOBS, view, { isWhole: true })),
    ],
  },
  lab: { labText: OURS, injectedText: OURS },
  places: {
    placeTable: (view) => placeTable([PLACE, { population: HOSTILE }], view),
    placesOf: () => JOBS.map(placesOf),
  },
  plan: {
    planView: (view) =>
      planView(
        { items: ACTIONS.map((action) => ({ ...ITEM, action })), notices: [ITEM] },
        {
          summary: HOSTILE,
          next: HOSTILE,
          places: [{ text: HOSTILE, displayName: HOSTILE, locationId: 1 }],
          titles: new Map([[ITEM.key, HOSTILE]]),
        },
        view,
      ),
  },
  'plan-diff': {
    changeLines: (view) => changeLines(CHANGES, view),
    changesOnOneLine: () => changesOnOneLine(CHANGES),
    sizeOfChange: () => sizeOfChange(HOSTILE, 'x'),
    isLong: RAW,
    valueText: RAW,
  },
  planned: {},
  profiles: {
    loginText: (view) =>
      loginText({ profile: { name: HOSTILE, baseUrl: HOSTILE }, current: HOSTILE, companyId: HOSTILE }, view),
    profileTable: (view) =>
      profileTable([{ name: HOSTILE, baseUrl: HOSTILE, key: HOSTILE, isCurrent: true }], view),
  },
  read: {
    fieldsIn: RAW,
    listIn: RAW,
    numberIn: RAW,
    timeIn: RAW,
    textIn: () => [textIn(HOSTILE), textIn([HOSTILE])],
  },
  'shell-word': { shellWord: () => shellWord(HOSTILE) },
  simulation: {
    simulationView: async (view) =>
      simulationView({ ...(await sampleSimulation(SAMPLE_CAPS, SAMPLE_COMPANY_CAPS)), file: HOSTILE }, view),
    simulationNotes: OURS,
  },
  target: {
    targetStatus: (view) =>
      targetStatus(
        hostile({
          target: 'remote',
          baseUrl: '',
          profile: '',
          key: '',
          from: { baseUrl: '', profile: '', key: '' },
          keyWithheld: '',
          configFile: '',
          dataDirectory: '',
        }),
        view,
      ),
  },
  terms: {
    termsText: (view) => termsText({ version: HOSTILE, text: HOSTILE, issuedAt: HOSTILE }, view),
    termsIssued: (view) => termsIssued({ version: HOSTILE }, view),
    termsAccepted: (view) => termsAccepted({ name: HOSTILE, terms: { currentVersion: HOSTILE } }, view),
  },
  transitions: {
    transitionLines: (view) =>
      transitionLines(
        'close',
        [
          { id: 1, error: ERROR },
          ...JOBS.flatMap((job) => [
            { id: 2, job },
            { id: 3, job, wasThere: true as const },
          ]),
        ],
        view,
      ),
    jobLine: (view) => JOBS.map((job) => jobLine('Created', job, view)),
  },
  words: {
    word: () => words.word(HOSTILE),
    statusStyle: () => words.statusStyle(HOSTILE),
    cents: () => words.cents(HOSTILE),
    salary: () => words.salary(HOSTILE, [HOSTILE], HOSTILE),
    moment: () => words.moment(HOSTILE),
    distance: () => words.distance(HOSTILE, NOW),
    timeLeft: () => words.timeLeft(HOSTILE, HOSTILE, NOW),
    counted: OURS,
    grouped: () => words.grouped(HOSTILE),
  },
};

/** Besides the views: how an error is told. */
const ERRORS: Readonly<Record<string, Case>> = {
  errorText: (view) => errorText(ERROR, view),
  errorDetails: (view) => errorDetails(ERROR, view),
  fieldLines: (view) => fieldLines([[HOSTILE, HOSTILE]], { ...view, mend: () => '--flag' }),
};

const PLACES: Readonly<Record<string, View>> = {
  'a coloured terminal of 40 columns': on(40, true),
  'a terminal of 200 columns': on(200, false),
  'a pipe': viewOf(fakeStreams(), NOW),
};

function on(columns: number, colour: boolean): View {
  return viewOf(fakeStreams({ isTerminal: true, columns, colour }), NOW);
}

/** Every text in what a view gives, joined; a carriage return only as the end of a CSV line. */
async function textsIn(shown: Shown): Promise<string> {
  const value = await shown;
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n');
  if (typeof value !== 'object' || value === null) return '';
  return (await Promise.all(Object.values(value).map(textsIn))).join('\n');
}

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url));

/** The functions of the source that show something in a view, by their signature. */
function viewFunctions(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith(join('cli', 'terminal')))
    .flatMap((file) => [
      ...readFileSync(join(SOURCE, file), 'utf8').matchAll(
        /^export (?:async )?function (\w+)\([^{]*?\bview: View\b/gm,
      ),
    ])
    .map(([, name = '']) => name);
}

describe('escape sequences, controls, bidirectional and hidden characters reach no terminal', () => {
  it('in any view: each function that takes one is listed here', () => {
    const listed = new Set([...Object.values(VIEWS), ERRORS].flatMap((functions) => Object.keys(functions)));
    const found = viewFunctions();
    assert.ok(found.length > 20);
    assert.deepEqual(
      found.filter((name) => !listed.has(name)),
      [],
    );
  });

  it('and would be seen here if one did', () => {
    for (const character of new Set([...HOSTILE].filter((one) => !/[\t\nA-Za-z0-9\x20-\x7e]/.test(one)))) {
      assert.notEqual(leakIn(`a${character}b`), undefined, JSON.stringify(character));
    }
    assert.equal(leakIn('\x1b[32mACTIVE\x1b[39m\n'), undefined);
    assert.notEqual(leakIn('\x1b[31mA'), undefined);
  });

  for (const [name, cases] of Object.entries({ ...VIEWS, errors: ERRORS })) {
    for (const [exported, shows] of Object.entries(cases)) {
      if (typeof shows === 'string') continue;
      it(`through ${exported} of ${name}`, async () => {
        for (const [place, view] of Object.entries(PLACES)) {
          const shown = await textsIn(shows(view));
          assert.equal(leakIn(shown), undefined, `on ${place}`);
          assert.ok(!shown.includes(SENT_KEY), `a key on ${place}`);
        }
      });
    }
  }
});
