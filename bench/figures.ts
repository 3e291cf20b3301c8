/** The middle value; of an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Says a ratio beside the least that it may be, where there is a bar. */
export function tell(what: string, ratio: number, unit: string, least: number | undefined): void {
  const bar = least === undefined ? '' : ` (bar: at least ${least})${ratio >= least ? '' : '  MISSED'}`;
  console.log(`${what}: ${ratio.toFixed(3)} ${unit}${bar}`);
}
