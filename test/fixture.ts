/**
 * An object that the tests of a `describe` start from: made before each of them or before the first, and closed
 * after them if it can be. A class with `#private` members can't be one.
 */
export function fixture<T extends object>(tests: 'each test' | 'all tests', make: () => T | Promise<T>): T {
  const current: { close?: () => unknown } = {};
  const [open, end] = tests === 'each test' ? [beforeEach, afterEach] : [before, after];
  open(async () => {
    const made = await make();
    for (const name of Object.keys(current)) Reflect.deleteProperty(current, name);
    Object.setPrototypeOf(current, Object.getPrototypeOf(made));
    Object.defineProperties(current, Object.getOwnPropertyDescriptors(made));
  });
  end(() => current.close?.());
  return current as T;
}
