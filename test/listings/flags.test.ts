import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { checkJobInput } from '../../src/contract/check.ts';
import { PartnerError } from '../../src/contract/errors.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT } from '../../src/contract/job.ts';
import { toListingError } from '../../src/listings/check/finding.ts';
import { findFlag } from '../../src/listings/flag-values.ts';
import { buildFlagListing, type JobFlags, readFlagFields, withFlags } from '../../src/listings/flags.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';
import every from './every-flag.json' with { type: 'json' };
import { COMPLETE, findingsOf, listingIn, listingOf } from './listing.ts';
import { fewPlaces } from './places.ts';
import wrong from './wrong-flags.json' with { type: 'json' };

const noStdin = { stdin: Readable.from([]) };

const fieldsOf = (flags: JobFlags) => readFlagFields(flags, noStdin);

async function refusalOf(flags: JobFlags): Promise<PartnerError> {
  const error = await fieldsOf(flags).then(
    (fields) => assert.fail(JSON.stringify(fields)),
    (reason) => reason,
  );
  assert.ok(error instanceof PartnerError, String(error));
  return error;
}

describe('readFlagFields', () => {
  it('sets every field by its contract name', async () => {
    const fields = await fieldsOf(every.flags);
    assert.deepEqual(fields, every.fields);
    assert.ok(checkJobInput({ ...fields, locations: [] }).ok);
  });

  it('has a flag for every field except questions', () => {
    const without = CONTENT_FIELDS.filter((field) => findFlag(field) === undefined);
    assert.deepEqual(without, ['questions']);
  });

  for (const { flags, is, matches } of wrong)
    it(`refuses ${JSON.stringify(flags)} with a fix and exit 2`, async () => {
      const { code, exit, message, hint } = await refusalOf(flags as JobFlags);
      assert.deepEqual([code, exit], ['USAGE', 2]);
      if (is !== undefined) assert.equal(`${message}; ${hint}`, is);
      else assert.match(`${message}; ${hint}`, new RegExp(String(matches)));
    });

  it('reports all invalid flags in one error', async () => {
    const error = await refusalOf({ 'salary-min': '85k', 'job-level': 'boss', budget: ['x', 'DAILY=y'] });
    const expected = ['--job-level', '--salary-min', '--budget x', '--budget DAILY=y'];
    assert.deepEqual(Object.keys(error.fields ?? {}), expected);
    assert.equal(error.message, '4 flags are invalid');
  });

  it('converts dollars to cents exactly, for the bid and each cap', async () => {
    const flags = {
      bid: '$1.15',
      daily: '90',
      weekly: '8.2',
      monthly: '1,500',
      lifetime: '90071992547409.91',
    };
    const caps = { DAILY: 9000, WEEKLY: 820, MONTHLY: 150_000, LIFETIME: Number.MAX_SAFE_INTEGER };
    const budgets = Object.entries(caps).map(([window, budgetCents]) => ({ window, budgetCents }));
    assert.deepEqual(await fieldsOf(flags), { bidPerQualifiedApplicantCents: 115, budgets });
  });

  it('accepts a number out of range, because the contract check reports it with the field', async () =>
    assert.deepEqual(await fieldsOf({ 'bid-cents': '-5' }), { bidPerQualifiedApplicantCents: -5 }));
});

describe('--clear', () => {
  it('sets a field to its empty value, by field name or flag', async () => {
    const empty = await fieldsOf({ clear: [...CONTENT_FIELDS] });
    assert.deepEqual(empty, EMPTY_CONTENT);
    assert.ok(checkJobInput(empty).ok, 'an update accepts it');
    assert.deepEqual(
      await fieldsOf({ clear: ['bid-cents', '--job-type', 'location', 'budget', 'description'] }),
      { bidPerQualifiedApplicantCents: null, jobType: null, locations: [], budgets: [], description: '' },
    );
  });
});

describe('--description-file', () => {
  const path = temporaryDirectory();

  it('uses the text of the file without the final line break', async () => {
    await writeFile(path('welder.md'), '\ufeffWeld.\n\n- Steel\n');
    const expected = { description: 'Weld.\n\n- Steel' };
    assert.deepEqual(await fieldsOf({ 'description-file': path('welder.md') }), expected);
  });

  it('reads stdin for -', async () => {
    const fields = await readFlagFields({ 'description-file': '-' }, { stdin: Readable.from(['Weld.\n']) });
    assert.deepEqual(fields, { description: 'Weld.' });
  });

  it('reports a missing file with exit 2', async () => {
    const error = await refusalOf({ 'description-file': path('none.md') });
    assert.deepEqual([error.code, error.exit], ['FILE_UNREADABLE', 2]);
  });
});

describe('a listing with flags', () => {
  const live = { draft: false, places: fewPlaces };

  it('has the value of the flag if both set a field, and replaces arrays completely', async () => {
    const listing = withFlags(listingOf(COMPLETE), await fieldsOf({ title: 'Fitter', required: ['Fit'] }));
    assert.deepEqual(listing.value, {
      ...COMPLETE,
      title: 'Fitter',
      qualifications: [{ text: 'Fit', kind: 'REQUIRED', order: 1 }],
    });
    assert.deepEqual(findingsOf(listing, live), []);
  });

  it('has positions only for the fields of the file', async () => {
    const file = listingIn('{\n "salaryMin": -1,\n "salaryMax": 1,\n "salaryMax": 2}');
    const listing = withFlags(file, await fieldsOf({ 'bid-cents': '-5', 'salary-max': '-7' }));
    const fields = toListingError(findingsOf(listing, { ...live, draft: true }))?.fields ?? {};
    assert.deepEqual(Object.keys(fields).sort(), ['bidPerQualifiedApplicantCents', 'salaryMax', 'salaryMin']);
    assert.match(fields.salaryMin ?? '', /line 2, column 15/);
    assert.doesNotMatch(fields.salaryMax ?? '', /line|twice/);
    assert.doesNotMatch(fields.bidPerQualifiedApplicantCents ?? '', /line/);
  });

  it('can have only flags', async () => {
    const listing = buildFlagListing(await fieldsOf({ title: 'Welder', location: ['Springfield'] }));
    const error = toListingError(findingsOf(listing, { ...live, draft: true }));
    assert.equal(error?.message, 'invalid listing: 1 problem');
    assert.deepEqual(Object.keys(error?.fields ?? {}), ['locations[0]']);
    const incomplete = toListingError(
      findingsOf(buildFlagListing({ title: 'Welder' }), { ...live, hasFieldFlags: true }),
    );
    assert.equal(incomplete?.message, 'incomplete listing: 9 problems');
    const expected = 'is required to publish; pass --job-level ENTRY|MID|SENIOR';
    assert.equal(incomplete?.fields?.jobLevel, expected);
  });
});

describe('a bid in dollars in a job file', () => {
  for (const [bid, cents] of [
    ['$18.50', 1850],
    ['$1,200', 120_000],
    ['$18.505', undefined],
    ['18.50', undefined],
    [18.5, undefined],
  ] as const)
    it(`${JSON.stringify(bid)} is ${cents === undefined ? 'refused as an unknown field' : `${cents} cents`}`, async () => {
      const listing = await listingIn(JSON.stringify({ title: 'Welder', bid }));
      const fields = findingsOf(listing, { draft: true, places: undefined }).map(({ field, column }) => [
        field,
        column,
      ]);
      if (cents === undefined) assert.deepEqual(fields, [['bid', 19]]);
      else assert.deepEqual(listing.value, { title: 'Welder', bidPerQualifiedApplicantCents: cents });
    });
});
