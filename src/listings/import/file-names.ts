/** Names of devices on Windows, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** A title as part of a file's name: lower-case letters and digits with hyphens, at most 60 characters. */
export function slugOf(title = ''): string {
  const words = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  const slug = words
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 61)
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 60);
  return RESERVED.test(slug) ? `job-${slug}` : slug || 'job';
}

/** Gives names to new files of one directory, each once, also where upper and lower case are the same. */
export function fileNames(taken: Iterable<string>) {
  const names = new Set(Array.from(taken, (name) => name.toLowerCase()));
  return (title: string | undefined, id: string, ending: string): string => {
    const slug = slugOf(title);
    const withId = `${slug}-${slugOf(id)}`;
    let name = `${slug}.${ending}`;
    for (let number = 1; names.has(name); number++)
      name = `${number === 1 ? withId : `${withId}-${number}`}.${ending}`;
    names.add(name);
    return name;
  };
}
