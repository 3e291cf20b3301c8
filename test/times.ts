/** Whether this is `npm run test:long`. */
export const IS_AT_LENGTH = process.env.PARTNER_TEST_AT_LENGTH !== undefined;

/** How often something is tried in `npm test`, and how often in `npm run test:long`. */
export function times(often: number, oftenAtLength: number): number {
  return IS_AT_LENGTH ? oftenAtLength : often;
}

/** A test that takes seconds of CPU: one of `npm run test:long` alone. */
export function itAtLength(title: string, test: Mocha.AsyncFunc | Mocha.Func): void {
  if (IS_AT_LENGTH) it(title, test as Mocha.Func);
}
