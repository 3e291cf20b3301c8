/** Device names on Windows, which are reserved with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

export function toSlug(title = ''): string {
  const words = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  const slug = words
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 61)
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 60);
  return RESERVED.test(slug) ? `job-${slug}` : slug || 'job';
}

/** Generates unique file names for a directory, or reuses one that `isOwn`. Names that differ only in case count as equal. */
export function fileNames(taken: Iterable<string>) {
  const names = new Set(Array.from(taken, (name) => name.toLowerCase()));
  return (title: string | undefined, id: string, ending: string, isOwn = (_: string) => false): string => {
    const slug = toSlug(title);
    const withId = `${slug}-${toSlug(id)}`;
    let name = `${slug}.${ending}`;
    for (let number = 1; names.has(name) && !isOwn(name); number++)
      name = `${number === 1 ? withId : `${withId}-${number}`}.${ending}`;
    names.add(name);
    return name;
  };
}
