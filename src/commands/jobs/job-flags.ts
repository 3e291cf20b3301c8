import * as Flags from '@oclif/core/flags';
import { repeatableFlag, textFlag } from '../../cli/flags/flag-values.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import {
  BUDGET_WINDOWS,
  JOB_LEVELS,
  JOB_TYPES,
  REMOTE_OPTIONS,
  SALARY_PERIODS,
} from '../../contract/values.ts';
import { fileFlags } from './file-flags.ts';
import { spendFlags } from './spending.ts';

const FIELDS = { helpGroup: 'JOB FIELD' } as const;
const text = (description: string, helpValue = 'TEXT') => Flags.string({ ...FIELDS, helpValue, description });
const texts = (description: string, helpValue = 'TEXT') =>
  Flags.string({
    ...FIELDS,
    helpValue,
    description: `${description}; repeatable`,
    multiple: true,
    multipleNonGreedy: true,
  });

/** The fields of a job as flags. They are read as text; `listings` names every fault at once. */
export const jobFieldFlags = {
  title: text('The title'),
  description: text('The description'),
  'description-file': text('The description, from a file', 'FILE'),
  'remote-option': text('How the work is done', REMOTE_OPTIONS.join('|')),
  'remote-country': text('Where remote employees may work', 'COUNTRY'),
  'job-type': text('The type of employment', JOB_TYPES.join('|')),
  'job-level': text('The level', JOB_LEVELS.join('|')),
  'salary-min': text('The lower end of the salary, in whole dollars', 'DOLLARS'),
  'salary-max': text('The upper end of the salary, in whole dollars', 'DOLLARS'),
  'salary-period': text('What the salary is paid for', SALARY_PERIODS.join('|')),
  'bid-cents': text('What a qualified applicant is worth, in cents: 1500 is $15.00', 'CENTS'),
  'opportunity-id': text("The opening's id on your ATS", 'ID'),
  'ats-job-url': text("The opening's address on your ATS", 'URL'),
  location: texts('A place: "Austin, TX", its id, or both: 4671654:Austin', 'TEXT_OR_ID'),
  required: texts('A qualification that an applicant must have'),
  desired: texts('A qualification that would help'),
  budget: texts(`A spend cap in cents, DAILY=5000; windows: ${BUDGET_WINDOWS.join(', ')}`, 'WINDOW=CENTS'),
};

export const noCheckFlag = {
  'no-check': Flags.boolean({ description: 'Send it although it may be incomplete: the server decides' }),
};

export const createOnceFlags = {
  'idempotency-key': textFlag('KEY', 'Create at most one job per key (if the server honors keys)'),
  resend: Flags.boolean({ description: 'Retry a create whose result is unknown' }),
};

export const sendFlags = { ...noCheckFlag, ...spendFlags, ...fileFlags, ...serverFlags };

/** The fields of a job that exists: its lists are replaced as a whole (section 4). */
export const jobUpdateFlags = {
  ...jobFieldFlags,
  clear: repeatableFlag('FIELD', 'Empty this field: null, or no entries; repeatable'),
};
