import type { ApplicationInput } from '../../../src/contract/application.ts';

/** Each application has a different applicant, who by default answers nothing and meets no requirement. */
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
