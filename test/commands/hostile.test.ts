import assert from 'node:assert/strict';
import { termsText } from '../../src/cli/engine-command.ts';
import { errorText, formatFailedLine } from '../../src/cli/failure.ts';
import { table } from '../../src/cli/terminal/table.ts';
import { shellWord, toView, type View } from '../../src/cli/terminal/view.ts';
import { serverJob } from '../../src/client/server-job.ts';
import {
  APPLICATION_COLUMNS,
  applicationCard,
  decisionLine,
} from '../../src/commands/dashboard/applications/application-view.ts';
import { dashboardStatus, termsAccepted } from '../../src/commands/dashboard/company.ts';
import { renderDelivered } from '../../src/commands/engine/delivered-view.ts';
import { INVOICE_COLUMNS, invoiceTable } from '../../src/commands/engine/invoice-view.ts';
import { jobCard } from '../../src/commands/jobs/job-card.ts';
import { PartnerError } from '../../src/contract/errors.ts';
import type { WholeApplication } from '../../src/engine/applications/company-applications.ts';
import { alone, distinguishTexts, sizeOfChange } from '../../src/reports/changes.ts';
import { fakeStreams } from '../cli/terminal/fake-streams.ts';
import { HOSTILE, hostile, hostileTexts, leakIn, SENT_KEY } from './hostile-text.ts';
import { EMPTY_DRAFT, LIVE_JOB, NOW } from './jobs/sample-job.ts';

const KEPT = [
  ...['status', 'kind', 'window', 'target', 'outcome', 'answerFormat', 'remoteOption'],
  ...['id', 'publishedAt', 'expiresAt', 'receivedAt', 'issuedAt', 'startsAt', 'resetsAt'],
];
const TIME = '2025-11-18T07:09:00.000Z';
const QUESTION = { id: 'q', prompt: '', answerFormat: 'TEXT', order: 1 } as const;
const APPLICATION = hostileTexts<WholeApplication>(
  {
    id: 1,
    jobId: 2,
    jobTitle: '',
    status: 'accepted',
    firstName: '',
    lastName: '',
    email: '',
    phone: '',
    location: '',
    resume: '',
    answers: [],
    meets: [],
    receivedAt: TIME,
    decidedAt: null,
    isQualified: true,
    charge: { outcome: 'skipped', amountCents: 1, filled: { target: 'job', window: 'DAILY' } },
    matched: [{ qualification: { id: 'l', text: '', kind: 'REQUIRED', order: 1 }, isMet: false }],
    answered: ['', true, ['']].map((answer) => ({ question: QUESTION, answer })),
    files: [{ fileId: 'f', question: QUESTION, name: '', type: '', bytes: 1, ending: '' }],
  },
  KEPT,
);
const LINE = { bidCents: 1, applications: 1, chargedCents: 1, skippedCents: 0, filled: null };
const SUMS = { charges: 1, chargedCents: 1, skipped: 0, skippedCents: 0 };
const INVOICE = {
  companyId: HOSTILE,
  month: null,
  from: null,
  to: null,
  items: [{ jobId: 1, title: HOSTILE, ...SUMS, lines: [LINE] }],
  totalChargedCents: 1,
  totalSkippedCents: 0,
};
const CAP = { window: 'DAILY', budgetCents: 1, spentCents: 0, skippedCharges: 0 } as const;
const COMPANY = {
  companyId: 'co_1',
  name: HOSTILE,
  terms: { currentVersion: HOSTILE, acceptedVersion: HOSTILE, accepted: false },
  card: { brand: HOSTILE, last4: HOSTILE },
  budgets: [{ ...CAP, notes: HOSTILE, startsAt: TIME, resetsAt: TIME, isFilled: false }],
  jobs: { DRAFT: 1, ACTIVE: 0, PAUSED: 0, CLOSED: 0, EXPIRED: 0 },
};
const ERROR = new PartnerError('VALIDATION_FAILED', {
  message: HOSTILE,
  fields: { [HOSTILE]: HOSTILE, title: HOSTILE },
  hint: HOSTILE,
  serverCode: HOSTILE,
});
const SHAPES = [{}, { csv: true }, { 'no-truncate': true }];

/** test/cli/hostile-text.test.ts also covers what servers return. */
const VIEWS: Readonly<Record<string, (view: View) => unknown>> = {
  'differences between texts': () => [
    distinguishTexts(HOSTILE, `${HOSTILE}x`),
    distinguishTexts(HOSTILE, HOSTILE.repeat(9)),
    alone(HOSTILE),
    sizeOfChange(HOSTILE, `x${HOSTILE}`),
  ],
  applications: (view) => [
    applicationCard(APPLICATION, view),
    ...SHAPES.map((shape) => table(APPLICATION_COLUMNS, [APPLICATION], view, '', shape)),
    decisionLine(APPLICATION, view),
    formatFailedLine(2, ERROR, view),
    renderDelivered({ ...APPLICATION, status: 'pending' }, { title: HOSTILE }, view),
  ],
  'a company': (view) => [dashboardStatus(COMPANY, view), termsAccepted(COMPANY, view)],
  'the terms': (view) => termsText({ version: HOSTILE, text: HOSTILE, issuedAt: TIME }, view),
  'an invoice': (view) => SHAPES.map((shape) => invoiceTable(INVOICE, INVOICE_COLUMNS, view, shape)),
  'the card of a job': (view) =>
    [hostile(LIVE_JOB), hostileTexts(LIVE_JOB, KEPT), hostileTexts(EMPTY_DRAFT, KEPT)].map((job) =>
      jobCard(serverJob(job), view),
    ),
  'a command to type': () => shellWord(HOSTILE),
  'an error': (view) => errorText(ERROR, { ...view, mend: () => '--flag' }),
};

const PLACES: Readonly<Record<string, View>> = {
  'a coloured terminal of 40 columns': on(40, true),
  'a terminal of 200 columns': on(200, false),
  'a pipe': toView(fakeStreams(), NOW),
};

function on(columns: number, colour: boolean): View {
  return toView(fakeStreams({ isTerminal: true, columns, colour }), NOW);
}

/** Joins all strings of a view; a carriage return is allowed only at the end of a CSV line. */
async function textsIn(shown: unknown): Promise<string> {
  const value = await shown;
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n');
  if (typeof value !== 'object' || value === null) return '';
  return (await Promise.all(Object.values(value).map(textsIn))).join('\n');
}

describe('escape sequences, controls, bidirectional and hidden characters reach no terminal', () => {
  it('and would be seen here if one did', () => {
    for (const character of new Set([...HOSTILE].filter((one) => !/[\t\nA-Za-z0-9\x20-\x7e]/.test(one))))
      assert.notEqual(leakIn(`a${character}b`), undefined, JSON.stringify(character));
    assert.equal(leakIn('\x1b[32mACTIVE\x1b[39m\n'), undefined);
    assert.notEqual(leakIn('\x1b[31mA'), undefined);
  });

  for (const [name, shows] of Object.entries(VIEWS))
    it(`through ${name}`, async () => {
      for (const [place, view] of Object.entries(PLACES)) {
        const shown = await textsIn(shows(view));
        assert.equal(leakIn(shown), undefined, `on ${place}`);
        assert.ok(!shown.includes(SENT_KEY), `a key on ${place}`);
      }
    });
});
