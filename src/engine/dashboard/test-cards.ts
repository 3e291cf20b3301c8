/**
 * The cards that can be put on file: the numbers that payment services publish for tests, of which brand and last
 * four digits are known here. No number is ever asked for, so that no real one can be given.
 */
export const TEST_CARDS = [
  { brand: 'visa', last4: '4242', name: 'Visa' },
  { brand: 'mastercard', last4: '4444', name: 'Mastercard' },
  { brand: 'amex', last4: '0005', name: 'American Express' },
  { brand: 'discover', last4: '1117', name: 'Discover' },
] as const;

/** A brand as its owners write it; one that is not known here as it came. */
export function brandName(brand: string): string {
  return TEST_CARDS.find((card) => card.brand === brand)?.name ?? brand;
}
