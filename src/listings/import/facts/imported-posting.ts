import type { PlaceMeaning } from '../../places/place-meaning.ts';
import type { ImportedPosting } from '../imported-posting.ts';
import type { SourcePosting } from '../source-posting.ts';

/** What reads texts of a posting that need more than words: a list of places, and a parser of HTML. */
export interface Reading {
  meaningOf(text: string): PlaceMeaning;
  toText(html: string): string;
}

/** A posting as a listing: each value passes the check of a job once its places have ids. Never throws. */
export function importedPosting({ id, fields }: SourcePosting, _reading: Reading): ImportedPosting {
  const { title } = fields;
  if (title === undefined) {
    return { id, values: {}, notes: [{ field: 'title', kind: 'missing', text: 'the source has none' }] };
  }
  const { value, from } = title;
  return { id, values: { title: { value: value.trim(), sure: 'taken', from } }, notes: [] };
}
