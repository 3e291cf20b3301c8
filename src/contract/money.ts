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
