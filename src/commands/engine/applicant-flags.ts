import { randomInt } from 'node:crypto';
import * as Flags from '@oclif/core/flags';
import { SEEDS, seedFlag, shareFlag, wholeNumber } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { ApplicantFlags } from './applicant.ts';

const COUNT_MAX = 100_000;

/** Who applies, with `engine apply`. */
export const applicantFlags = {
  'first-name': Flags.string({ helpValue: 'TEXT' }),
  'last-name': Flags.string({ helpValue: 'TEXT' }),
  email: Flags.string({ helpValue: 'ADDRESS', description: 'One application for each address and job' }),
  phone: Flags.string({ helpValue: 'NUMBER' }),
  location: Flags.string({ helpValue: 'TEXT', description: 'Where the candidate lives: any text' }),
  resume: Flags.string({
    helpValue: 'FILE',
    description: 'PDF, DOC, DOCX, ODT, RTF or plain text, up to 5 MiB',
  }),
  answer: Flags.string({
    helpValue: 'PROMPT=VALUE',
    multiple: true,
    multipleNonGreedy: true,
    description: "What is answered to a question of the job; a FILE's value is a path",
  }),
  meets: Flags.string({
    helpValue: 'all|none|TEXT',
    multiple: true,
    multipleNonGreedy: true,
    description: 'The qualifications that are met; who meets every REQUIRED one is qualified',
  }),
  count: Flags.string({ helpValue: 'N', description: `Make up so many applicants, at most ${COUNT_MAX}` }),
  qualified: Flags.string({
    helpValue: 'SHARE',
    description: 'With --count, the share of qualified ones, 0 to 1 (default 1): exactly that, rounded',
  }),
  seed: Flags.string({
    helpValue: 'N',
    description:
      'With --count, make up by this number, so that a run can be repeated; else by one that is told',
  }),
};

type Values = {
  readonly [Name in keyof typeof applicantFlags]?:
    | (Name extends 'answer' | 'meets' ? string[] : string)
    | undefined;
};

const OF_MANY = ['qualified', 'seed'] as const;
const OF_ONE = [
  'first-name',
  'last-name',
  'email',
  'phone',
  'location',
  'resume',
  'answer',
  'meets',
] as const;

/** How many are to be made up, and how; undefined where one applies. Throws USAGE where flags of both are given. */
export function manyOf(file: string | undefined, flags: Values) {
  const stray = (flags.count === undefined ? OF_MANY : OF_ONE).find((name) => flags[name] !== undefined);
  if (stray !== undefined || (file !== undefined && flags.count !== undefined)) {
    const what = stray === undefined ? `the file ${file}` : `--${stray}`;
    throw new PartnerError('USAGE', {
      message: `${what} goes ${flags.count === undefined ? 'with --count only' : 'without --count'}`,
      hint: 'either one applicant is given, or many are made up',
    });
  }
  if (flags.count === undefined) return undefined;
  return {
    count: wholeNumber('--count', flags.count, { min: 1, max: COUNT_MAX }),
    qualifiedShare: flags.qualified === undefined ? 1 : shareFlag('--qualified', flags.qualified),
    seed: flags.seed === undefined ? randomInt(SEEDS) : seedFlag(flags.seed),
  };
}

/** The applicant whom the flags describe; undefined where they describe none. */
export function applicantOf(flags: Values): ApplicantFlags | undefined {
  if (OF_ONE.every((name) => flags[name] === undefined)) return undefined;
  const { 'first-name': firstName, 'last-name': lastName, email, phone, location, resume } = flags;
  const given = Object.entries({ firstName, lastName, email, phone, location, resume });
  const basics = Object.fromEntries(given.filter(([, text]) => text !== undefined));
  return { basics, answers: flags.answer ?? [], meets: flags.meets ?? [] };
}
