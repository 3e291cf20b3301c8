import { randomInt } from 'node:crypto';
import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { SEEDS, seedFlag, shareFlag, wholeNumber } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { ApplicantFlags } from './applicant.ts';

const COUNT_MAX = 100_000;

const text = (helpValue: string, description?: string) =>
  Flags.string({ helpValue, ...(description && { description }) });
const texts = (helpValue: string, description: string) =>
  Flags.string({ helpValue, multiple: true, multipleNonGreedy: true, description });

export const applicantFlags = {
  'first-name': text('TEXT'),
  'last-name': text('TEXT'),
  email: text('ADDRESS', 'One application for each address and job'),
  phone: text('NUMBER'),
  location: text('TEXT', 'Where the candidate lives: any text'),
  resume: text('FILE', 'PDF, DOC, DOCX, ODT, RTF or plain text, up to 5 MiB'),
  answer: texts('PROMPT=VALUE', "What is answered to a question of the job; a FILE's value is a path"),
  meets: texts('all|none|TEXT', 'The qualifications that are met; who meets every REQUIRED one is qualified'),
  count: Flags.string({
    helpValue: 'N',
    exclusive: ['first-name', 'last-name', 'email', 'phone', 'location', 'resume', 'answer', 'meets'],
    description: `Make up so many applicants, at most ${COUNT_MAX}`,
  }),
  qualified: Flags.string({
    helpValue: 'SHARE',
    dependsOn: ['count'],
    description: 'With --count, the share of qualified ones, 0 to 1 (default 1): exactly that, rounded',
  }),
  seed: Flags.string({
    helpValue: 'N',
    dependsOn: ['count'],
    description:
      'With --count, make the same ones up again as with this number; otherwise it is random, and shown',
  }),
};

type Values = Interfaces.InferredFlags<typeof applicantFlags>;

/** How many are to be made up, and how; undefined where one applies. Throws USAGE. */
export function manyOf(file: string | undefined, { count, qualified, seed }: Values) {
  if (count === undefined) return undefined;
  if (file !== undefined) {
    throw new PartnerError('USAGE', {
      message: `the file ${file} goes without --count`,
      hint: 'either one applicant is given, or many are made up',
    });
  }
  return {
    count: wholeNumber('--count', count, { min: 1, max: COUNT_MAX }),
    qualifiedShare: qualified === undefined ? 1 : shareFlag('--qualified', qualified),
    seed: seed === undefined ? randomInt(SEEDS) : seedFlag(seed),
  };
}

export function applicantOf(flags: Values): ApplicantFlags | undefined {
  const { 'first-name': firstName, 'last-name': lastName, email, phone, location, resume } = flags;
  const given = Object.entries({ firstName, lastName, email, phone, location, resume });
  const basics = Object.fromEntries(given.filter(([, text]) => text !== undefined));
  const { answer: answers = [], meets = [] } = flags;
  const isEmpty = Object.keys(basics).length === 0 && flags.answer === undefined && flags.meets === undefined;
  return isEmpty ? undefined : { basics, answers, meets };
}
