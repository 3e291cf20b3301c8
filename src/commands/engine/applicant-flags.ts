import * as Flags from '@oclif/core/flags';
import { numberFlag, seedFlag, shareFlag } from '../../cli/flags/flag-values.ts';

const COUNT_MAX = 100_000;

const text = (helpValue: string, description?: string) =>
  Flags.string({ helpValue, ...(description && { description }) });
const texts = (helpValue: string, description: string) =>
  Flags.string({ helpValue, multiple: true, multipleNonGreedy: true, description });

export const givenFlags = {
  'first-name': text('TEXT'),
  'last-name': text('TEXT'),
  email: text('ADDRESS', 'One application for each address and job'),
  phone: text('NUMBER'),
  location: text('TEXT', 'Where the candidate lives: any text'),
  resume: text('FILE', 'PDF, DOC, DOCX, ODT, RTF or plain text, up to 5 MiB'),
  answer: texts('PROMPT=VALUE', "What is answered to a question of the job; a FILE's value is a path"),
  meets: texts('all|none|TEXT', 'The qualifications that are met; who meets every REQUIRED one is qualified'),
};

export const applicantFlags = {
  ...givenFlags,
  count: numberFlag({
    max: COUNT_MAX,
    exclusive: Object.keys(givenFlags),
    description: `Make up so many applicants, at most ${COUNT_MAX}`,
  }),
  qualified: shareFlag({
    dependsOn: ['count'],
    description: 'With --count, the share of qualified ones, 0 to 1 (default 1): exactly that, rounded',
  }),
  seed: seedFlag({
    dependsOn: ['count'],
    description:
      'With --count, make the same ones up again as with this number; otherwise it is random, and shown',
  }),
};
