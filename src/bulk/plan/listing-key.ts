/**
 * What the state, reports and `--adopt` call a listing: its file's path and index (cli.md, "The state of
 * `apply`"). The first listing of a file is the path alone; a path that looks like a key gets its `#0`.
 */
export function listingKey(path: string, index: number): string {
  return index === 0 && !/#(?:unlisted-)?\d+$/.test(path) ? path : `${path}#${index}`;
}

/**
 * What the state calls a listing that is no longer in its file, where another one stands at its index now:
 * its job is not forgotten for that.
 */
export function unlistedKey(path: string, jobId: number): string {
  return `${path}#unlisted-${jobId}`;
}

/** The path and index of a key that `listingKey` made; an index beyond all others of one of `unlistedKey`. */
export function listingOfKey(key: string): { readonly path: string; readonly index: number } {
  const unlisted = /^(.*)#unlisted-\d+$/s.exec(key);
  if (unlisted) return { path: unlisted[1] ?? key, index: Number.POSITIVE_INFINITY };
  const [, path = key, index = '0'] = /^(.*)#(\d+)$/s.exec(key) ?? [];
  return { path, index: Number(index) };
}
