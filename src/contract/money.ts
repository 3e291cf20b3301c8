/** `1500` as `$15.00`. Whole cents only; a negative amount keeps its sign in front. */
export function formatCents(amountCents: number): string {
  const sign = amountCents < 0 ? '-' : '';
  const cents = Math.abs(amountCents);
  const dollars = Math.floor(cents / 100);
  return `${sign}$${grouped(dollars)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Whole dollars as `$85,000`. */
export function formatDollars(amount: number): string {
  return `${amount < 0 ? '-' : ''}$${grouped(Math.abs(amount))}`;
}

function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/**
 * An amount of dollars as people type it, `1500`, `1,500.00` or `$15.5`, in cents; undefined for anything else, and
 * for more than a whole number holds.
 */
export function parseDollars(text: string): number | undefined {
  const match = /^\$? ?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return undefined;
  const [, dollars = '', cents = ''] = match;
  const amountCents = Number(dollars.replaceAll(',', '') + cents.padEnd(2, '0'));
  return Number.isSafeInteger(amountCents) ? amountCents : undefined;
}
