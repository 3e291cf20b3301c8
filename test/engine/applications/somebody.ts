import type { ApplicationInput } from '../../../src/contract/application.ts';

/** Gives applications, each of somebody else: without answers, and meeting nothing unless told. */
export function somebodyElse(): (changes?: Partial<ApplicationInput>) => ApplicationInput {
  let candidates = 0;
  return (changes = {}) => ({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `ada.${++candidates}@example.com`,
    phone: '+1 512 555 0100',
    location: 'Austin, TX',
    resume: 'fil_cv',
    ...changes,
  });
}
