/** Names of devices on Windows, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** A title as part of a file's name: lower-case letters and digits with hyphens, at most 60 characters. */
export function slugOf(title = ''): string {
  const words = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  const slug = words
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 61)
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return RESERVED.test(slug) ? `job-${slug}` : slug || 'job';
}

/** Names for new files in one directory, each once, also where upper and lower case are the same. */
export class FileNames {
  readonly #taken: Set<string>;
  readonly #shared = new Set<string>();

  /** `titles` are those of all postings that get a new file: where two are alike, both get their id. */
  constructor(taken: Iterable<string>, titles: Iterable<string | undefined>) {
    this.#taken = new Set(Array.from(taken, (name) => name.toLowerCase()));
    const seen = new Set<string>();
    for (const slug of Array.from(titles, slugOf)) {
      if (seen.has(slug)) this.#shared.add(slug);
      seen.add(slug);
    }
  }

  take(title: string | undefined, id: string, ending: string): string {
    const slug = slugOf(title);
    const withId = `${slug}-${slugOf(id)}`;
    for (let number = this.#shared.has(slug) ? 1 : 0; ; number++) {
      const name = `${number === 0 ? slug : number === 1 ? withId : `${withId}-${number}`}.${ending}`;
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
  }
}
