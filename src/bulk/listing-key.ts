/**
 * What the state, reports and `--adopt` call a listing: its file's path and index (cli.md, "The state of
 * `apply`"). The first listing of a file is the path alone; a path that looks like a key gets its `#0`.
 */
export function listingKey(path: string, index: number): string {
  return index === 0 && !/#\d+$/.test(path) ? path : `${path}#${index}`;
}

/** The path and index of a key that `listingKey` made. */
export function listingOfKey(key: string): { readonly path: string; readonly index: number } {
  const [, path = key, index = '0'] = /^(.*)#(\d+)$/s.exec(key) ?? [];
  return { path, index: Number(index) };
}
