/** What it means that a clock was put back; nothing where it was not. Both times are ISO 8601 of the same form. */
export function backInTime({
  before,
  now,
}: {
  readonly before: string;
  readonly now: string;
}): string | undefined {
  if (now >= before) return undefined;
  return 'the clock went back: what was charged, received or decided keeps its time, and counts in the windows of that time';
}
