import { ANSWER_FORMATS } from '../../src/contract/values.ts';

const JOB_OPERATIONS = ['Update', 'Publish', 'Close', 'Get'];

/**
 * The rows of the specification's tables (2.1 to 2.7, 3, 4 with its error table, 7, 8) with its numbered rules,
 * written as the tests are named: the name of a row's test begins with it.
 */
export const ROWS: readonly string[] = [
  ...under('2.1', [
    'id title status description remoteOption remoteCountry jobType jobLevel salaryMin salaryMax salaryPeriod',
    'bidPerQualifiedApplicantCents opportunityId atsJobUrl companyId locations qualifications questions budgets',
    'applicationCounts isFrozen newApplicantCount publishedAt expiresAt closedAt',
  ]),
  ...under('2.2', [
    'title description remoteOption remoteCountry jobType jobLevel locations salaryMin salaryMax salaryPeriod',
    'bidPerQualifiedApplicantCents opportunityId atsJobUrl qualifications questions budgets publish',
  ]),
  ...under('2.3 LocationInput', ['locationId city stateProvince country']),
  ...under('2.3 LocationSuggestion', ['locationId displayName city stateProvince country']),
  ...under('2.4 QualificationInput', ['text kind order']),
  ...under('2.5 QuestionInput', ['prompt answerFormat options order']),
  ...ANSWER_FORMATS.map((format) => `2.5 QuestionInput answerFormat ${format}:`),
  ...under('2.6 BudgetInput', ['window budgetCents notes']),
  '2.7 code and message:',
  '2.7 fields:',
  '3 (none) → create without publish → DRAFT',
  '3 (none) → create with publish false → DRAFT',
  '3 (none) → create with `publish: true`, all gates pass → ACTIVE',
  '3 (none) → create with `publish: true`, completeness fails → nothing is created',
  '3 (none) → create with `publish: true`, terms not accepted → nothing is created',
  '3 (none) → create with `publish: true`, no card → nothing is created',
  '3 DRAFT → publish → ACTIVE',
  '3 ACTIVE → pause → PAUSED',
  '3 PAUSED → resume → ACTIVE',
  '3 ACTIVE → close → CLOSED',
  '3 PAUSED → close → CLOSED',
  '3 ACTIVE → 30 days after publication → EXPIRED',
  ...['DRAFT', 'PAUSED', 'CLOSED', 'EXPIRED'].map((state) => `3 ${state} → pause: INVALID_TRANSITION`),
  ...[1, 2, 3, 4, 5].map((rule) => `3 rule ${rule},`),
  '4 createJob: POST {base_url}/jobs',
  '4 Update a job: PATCH {base_url}/jobs/{id}',
  '4 Publish a draft: POST {base_url}/jobs/{id}/publish',
  '4 Close a job: POST {base_url}/jobs/{id}/close',
  '4 Get a job: GET {base_url}/jobs/{id}',
  '4 Search locations: GET {base_url}/locations/search',
  ...['createJob', ...JOB_OPERATIONS, 'Search locations'].map((name) => `4 ${name}: 401 INVALID_SERVICE_KEY`),
  ...JOB_OPERATIONS.map((name) => `4 ${name}: 404 NOT_FOUND`),
  ...JOB_OPERATIONS.map((name) => `4 note 6, ${name}: a job of another company answers 404`),
  '4 createJob: 402 PAYMENT_METHOD_REQUIRED',
  '4 createJob: 409 AGREEMENT_OUTDATED',
  '4 createJob: 422 VALIDATION_FAILED',
  '4 Update: 409 JOB_FROZEN',
  '4 Update: 422 VALIDATION_FAILED',
  '4 Publish: 402 PAYMENT_METHOD_REQUIRED',
  '4 Publish: 409 AGREEMENT_OUTDATED',
  '4 Publish: 422 VALIDATION_FAILED',
  '4 Close: INVALID_TRANSITION',
  ...[1, 2, 5].map((note) => `4 note ${note}:`),
  ...['5.1', '5.2 a missing key', '5.2 an unknown key', '5.2 a revoked key', '5.3', '5.4', '5.5'],
  '7 401 INVALID_SERVICE_KEY:',
  '7 402 PAYMENT_METHOD_REQUIRED:',
  '7 404 NOT_FOUND:',
  '7 409 AGREEMENT_OUTDATED:',
  '7 409 JOB_FROZEN:',
  '7 422 VALIDATION_FAILED: bad input',
  '7 422 VALIDATION_FAILED: incomplete listing',
  '7 INVALID_TRANSITION:',
  ...[1, 2, 3, 4].map((rule) => `7 rule ${rule}:`),
  ...['8.1', '8.2', '8.3', '8.4', '8.6', '8.7', '8 gate 1', '8 gate 2', '8 gate 3', '9.1'],
];

/** The decisions that can be seen over HTTP: the name of a test that holds one says its number. */
export const DECISIONS: readonly number[] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22, 23, 24, 25, 26, 27,
];

function under(section: string, fields: readonly string[]): string[] {
  return fields.flatMap((line) => line.split(' ')).map((field) => `${section} ${field}:`);
}
