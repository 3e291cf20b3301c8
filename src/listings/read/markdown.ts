import { positionsIn } from '../../contract/json/positions.ts';
import { isObject } from '../../contract/values.ts';
import { contentFault, type Fault } from '../check/finding.ts';
import type { DocumentReading, ListingDocument } from './listing.ts';
import { EMPTY_FILE, ofText } from './other-formats.ts';
import { listingsOfYaml } from './yaml.ts';

/** The fields as YAML front matter, and below it the text that is the description. */
export const readMarkdown = ofText((text) => [listingOfMarkdown(text)]);

function listingOfMarkdown(text: string): DocumentReading {
  if (text.trim() === '') return { ok: false, fault: EMPTY_FILE };
  const [front] = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (front === undefined) return { ok: false, fault: NO_FRONT_MATTER };
  // It begins where the file does, and so its offsets are the file's.
  const fields = front.replace(/---\s*$/, '');
  const [reading, ...others] = listingsOfYaml(fields, positionsIn(text));
  if (reading?.ok === false && reading.fault !== EMPTY_FILE) return reading;
  if (!reading?.ok || others.length > 0 || !isObject(reading.document.value))
    return { ok: false, fault: NO_FRONT_MATTER };
  return { ok: true, document: withBody(reading.document, text, front.length) };
}

/** A body is text as it stands, with the line ends of YAML. */
function withBody(fields: ListingDocument, text: string, from: number): ListingDocument {
  const body = text.slice(from).trim().replaceAll('\r\n', '\n');
  if (body === '') return fields;
  const start = positionsIn(text)(from + text.slice(from).search(/\S/));
  const given = fields.value as Record<string, unknown>;
  const twice: Fault = {
    rule: 'json-repeated-field',
    path: ['description'],
    message: `is given twice, first in line ${fields.locate(['description'], 'name').line}, and as the text here`,
    hint: 'take one of them out: the text below the front matter is the description',
    ...start,
  };
  return {
    value: { ...given, description: body },
    flaws: 'description' in given ? [...fields.flaws, twice] : fields.flaws,
    flawsOmitted: fields.flawsOmitted,
    locate: (path, part) => (path[0] === 'description' ? start : fields.locate(path, part)),
  };
}

const NO_FRONT_MATTER = contentFault(
  'it has no front matter: no fields between two lines ---',
  'a job file in Markdown begins with ---, then a field on each line, then --- and the text',
);
