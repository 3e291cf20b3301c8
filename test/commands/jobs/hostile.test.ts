import assert from 'node:assert/strict';
import { applyView } from '../../../src/bulk/view/apply.ts';
import { planView } from '../../../src/bulk/view/plan.ts';
import { changeLines, changesOnOneLine } from '../../../src/bulk/view/plan-diff.ts';
import { budgetLines, budgetTable } from '../../../src/cli/budget-table.ts';
import { errorDetails, errorText } from '../../../src/cli/error-view.ts';
import { fieldLines } from '../../../src/cli/terminal/blocks.ts';
import {
  alone,
  differingCharacters,
  entryChanges,
  sizeOfChange,
  toldApart,
} from '../../../src/cli/terminal/job-diff.ts';
import { shellWord } from '../../../src/cli/terminal/shell-word.ts';
import { type View, viewOf } from '../../../src/cli/terminal/view.ts';
import * as words from '../../../src/cli/terminal/words.ts';
import { termsText } from '../../../src/cli/terms-view.ts';
import { serverJob } from '../../../src/client/server-job.ts';
import { simulationView } from '../../../src/commands/budgets/simulation-view.ts';
import {
  applicationCard,
  applicationTable,
  decisionLines,
} from '../../../src/commands/dashboard/applications/application-view.ts';
import { dashboardStatus, termsAccepted } from '../../../src/commands/dashboard/company-view.ts';
import { checkLines } from '../../../src/commands/doctor/checks.ts';
import { deliveredOne } from '../../../src/commands/engine/delivered-view.ts';
import { INVOICE_COLUMNS, invoiceTable } from '../../../src/commands/engine/invoice-view.ts';
import { jobCard } from '../../../src/commands/jobs/job-card.ts';
import { jobChanges } from '../../../src/commands/jobs/job-changes.ts';
import { jobTable } from '../../../src/commands/jobs/job-table.ts';
import { jobLine, transitionLines } from '../../../src/commands/jobs/transitions-view.ts';
import { placeTable } from '../../../src/commands/locations/found-places.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { WholeApplication } from '../../../src/engine/applications/company-applications.ts';
import type { Dashboard } from '../../../src/engine/companies/dashboard.ts';
import { planItem } from '../../bulk/report/sample-run.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import { joined } from '../../cli/terminal/joined.ts';
import { HOSTILE, hostile, hostileTexts, leakIn, SENT_KEY } from './hostile.ts';
import { EMPTY_DRAFT, LIVE_JOB, NOW } from './sample-job.ts';
import { SAMPLE_CAPS, SAMPLE_COMPANY_CAPS, sampleSimulation } from './sample-simulation.ts';

type Shown = unknown;

const KEPT = ['status', 'kind', 'window', 'remoteOption', 'publishedAt', 'expiresAt'];
const [STRANGE, LIVE, DRAFT] = [
  serverJob(hostile(LIVE_JOB)),
  serverJob(hostileTexts(LIVE_JOB, KEPT)),
  serverJob(hostileTexts(EMPTY_DRAFT, ['status'])),
];
const JOBS = [STRANGE, LIVE, DRAFT];
const PLACES_FOUND = hostile(LIVE_JOB.locations);
const ERROR = new PartnerError('VALIDATION_FAILED', {
  message: HOSTILE,
  fields: { [HOSTILE]: HOSTILE, title: HOSTILE },
  hint: HOSTILE,
  serverCode: HOSTILE,
});
const TIME = '2025-11-18T07:09:00.000Z';
const APPLICATION = {
  id: 1,
  jobId: 2,
  status: 'accepted',
  firstName: HOSTILE,
  lastName: HOSTILE,
  email: HOSTILE,
  phone: HOSTILE,
  location: HOSTILE,
  resume: HOSTILE,
  answers: [],
  meets: [],
  receivedAt: TIME,
  decidedAt: null,
  isQualified: true,
  charge: { outcome: 'skipped', amountCents: 1, filled: { target: 'job', window: 'DAILY' } },
} as const;
const QUESTION = { id: 'q', prompt: HOSTILE, answerFormat: 'TEXT', order: 1 } as const;
const DETAILS = {
  jobTitle: HOSTILE,
  matched: [{ qualification: { id: 'l', text: HOSTILE, kind: 'REQUIRED', order: 1 }, isMet: false }],
  answered: [HOSTILE, true, [HOSTILE]].map((answer) => ({ question: QUESTION, answer })),
  files: [
    {
      fileId: 'f',
      question: QUESTION,
      name: HOSTILE,
      type: HOSTILE,
      bytes: 1,
      ending: '.pdf',
      savedAs: HOSTILE,
    },
  ],
} satisfies Partial<WholeApplication> & { files: { savedAs: string }[] };
const INVOICE = {
  companyId: HOSTILE,
  month: null,
  from: null,
  to: null,
  items: [
    {
      jobId: 1,
      title: HOSTILE,
      charges: 1,
      chargedCents: 1,
      skipped: 0,
      skippedCents: 0,
      lines: [{ bidCents: 1, applications: 1, chargedCents: 1, skippedCents: 0, filled: null }],
    },
  ],
  totalChargedCents: 1,
  totalSkippedCents: 0,
};
const COMPANY = {
  companyId: 'co_1',
  name: HOSTILE,
  terms: { currentVersion: HOSTILE, acceptedVersion: HOSTILE, accepted: false },
  card: { brand: HOSTILE, last4: HOSTILE },
  budgets: [
    {
      window: 'DAILY',
      budgetCents: 1,
      notes: HOSTILE,
      spentCents: 0,
      skippedCharges: 0,
      startsAt: TIME,
      resetsAt: TIME,
      isFilled: false,
    },
  ],
  jobs: { DRAFT: 1, ACTIVE: 0, PAUSED: 0, CLOSED: 0, EXPIRED: 0 },
} satisfies Awaited<ReturnType<Dashboard['status']>>;
const NOTE = { code: HOSTILE as 'FROZEN', message: HOSTILE, hint: HOSTILE };
const CHANGES = ['title', 'description', HOSTILE, 'salaryMin', 'locations', 'questions', 'budgets'].flatMap(
  (name) => {
    const field = name as 'title';
    return [
      { field, from: HOSTILE, to: `${HOSTILE.repeat(3)}more` },
      { field, from: (EMPTY_DRAFT as Record<string, unknown>)[field], to: STRANGE[field] },
      { field, from: STRANGE[field], to: LIVE[field] },
    ];
  },
);
const ITEM = {
  ...planItem({
    key: `jobs/${HOSTILE}.json`,
    status: HOSTILE,
    changes: CHANGES,
    notes: [NOTE],
    publish: true,
  }),
  jobId: 12,
};
const ACTIONS = ['create', 'update', 'publish', 'close', 'record', 'settle', 'held'] as const;
const RESULTS = ['created', 'failed', 'unknown', 'held', 'left'] as const;
const SHAPES = [{}, { isCsv: true }, { isWhole: true }];

/** What each view shows of hostile values. */
const VIEWS: Readonly<Record<string, (view: View) => Shown>> = {
  'differences between texts': () => [
    toldApart(HOSTILE, `${HOSTILE}x`),
    toldApart(HOSTILE, HOSTILE.repeat(9)),
    alone(HOSTILE),
    differingCharacters(HOSTILE, `x${HOSTILE}`),
  ],
  'the card of an application': (view) => applicationCard({ ...APPLICATION, ...DETAILS }, view),
  'the list of applications': (view) => SHAPES.map((shape) => applicationTable([APPLICATION], view, shape)),
  'a decision on applications': (view) =>
    decisionLines('accepted', [APPLICATION, { id: 2, error: ERROR }], view),
  'the end of an apply': (view) =>
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
  'a list of caps': (view) =>
    [STRANGE, LIVE].flatMap((job) => [
      ...SHAPES.map((shape) => budgetTable(job.budgets, view, shape)),
      budgetLines(job, view),
    ]),
  'checks of the doctor': (view) =>
    checkLines([{ name: 'Key', ok: false, found: HOSTILE, advice: HOSTILE }], view),
  'an application that was delivered': (view) =>
    deliveredOne({ ...APPLICATION, status: 'pending' }, { title: HOSTILE }, view),
  'the status of a company': (view) => dashboardStatus(COMPANY, view),
  'the terms': (view) => [
    termsText({ version: HOSTILE, text: HOSTILE, issuedAt: TIME }, view),
    termsAccepted(COMPANY, view),
  ],
  'changed entries': () => CHANGES.map(({ field, from, to }) => entryChanges(field, from, to)),
  'an invoice': (view) => SHAPES.map((shape) => invoiceTable(INVOICE, INVOICE_COLUMNS, view, shape)),
  'the card of a job': (view) => JOBS.map((job) => jobCard(job, view)),
  'changes of a job': () => [jobChanges(STRANGE, LIVE), jobChanges(DRAFT, STRANGE)],
  'the list of jobs': (view) => SHAPES.map((shape) => joined(jobTable(JOBS, view, shape))),
  places: (view) => [placeTable(PLACES_FOUND, view)],
  'a plan': (view) =>
    planView(
      { items: ACTIONS.map((action) => ({ ...ITEM, action })), notices: [ITEM] },
      {
        summary: HOSTILE,
        next: HOSTILE,
        places: [{ text: HOSTILE, displayName: HOSTILE, locationId: 1 }],
      },
      view,
    ),
  'changes of a plan': (view) => [
    changeLines(CHANGES, view),
    changesOnOneLine(CHANGES),
    sizeOfChange(HOSTILE, 'x'),
  ],
  'a command to type': () => shellWord(HOSTILE),
  'a simulation': async (view) =>
    simulationView({ ...(await sampleSimulation(SAMPLE_CAPS, SAMPLE_COMPANY_CAPS)), file: HOSTILE }, view),
  'transitions of jobs': (view) => [
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
    JOBS.map((job) => jobLine('Created', job, view)),
  ],
  'words of the contract': () => [
    words.word(HOSTILE),
    words.cents(HOSTILE),
    words.salary(1, 2, HOSTILE),
    words.moment(HOSTILE),
    words.distance(HOSTILE, NOW),
  ],
  'an error': (view) => [
    errorText(ERROR, view),
    errorDetails(ERROR, view),
    fieldLines([[HOSTILE, HOSTILE]], { ...view, mend: () => '--flag' }),
  ],
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

describe('escape sequences, controls, bidirectional and hidden characters reach no terminal', () => {
  it('and would be seen here if one did', () => {
    for (const character of new Set([...HOSTILE].filter((one) => !/[\t\nA-Za-z0-9\x20-\x7e]/.test(one)))) {
      assert.notEqual(leakIn(`a${character}b`), undefined, JSON.stringify(character));
    }
    assert.equal(leakIn('\x1b[32mACTIVE\x1b[39m\n'), undefined);
    assert.notEqual(leakIn('\x1b[31mA'), undefined);
  });

  for (const [name, shows] of Object.entries(VIEWS)) {
    it(`through ${name}`, async () => {
      for (const [place, view] of Object.entries(PLACES)) {
        const shown = await textsIn(shows(view));
        assert.equal(leakIn(shown), undefined, `on ${place}`);
        assert.ok(!shown.includes(SENT_KEY), `a key on ${place}`);
      }
    });
  }
});
