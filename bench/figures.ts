/** For an even number of values, the median is the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Prints a ratio with its minimum, if there is one. */
export function tell(what: string, ratio: number, unit: string, least: number | undefined): void {
  const bar = least === undefined ? '' : ` (target: at least ${least})${ratio >= least ? '' : '  MISSED'}`;
  console.log(`${what}: ${ratio.toFixed(3)} ${unit}${bar}`);
}
