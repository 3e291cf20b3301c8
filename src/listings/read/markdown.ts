import { positionsIn } from '../../contract/json/positions.ts';
import { isObject } from '../../contract/values.ts';
import { contentFault, type Fault } from '../check/finding.ts';
import type { DocumentReading, ListingDocument } from './listing.ts';
import { decodeText, EMPTY_FILE } from './other-formats.ts';
import { listingsOfYaml } from './yaml.ts';

/** The fields as YAML front matter, and below it the text that is the description. */
export function* readMarkdown(bytes: Uint8Array): Generator<DocumentReading> {
  const decoded = decodeText(bytes);
  yield 'fault' in decoded ? { ok: false, fault: decoded.fault } : listingOfMarkdown(decoded.text);
}

function listingOfMarkdown(text: string): DocumentReading {
  if (text.trim() === '') return { ok: false, fault: EMPTY_FILE };
  if (!/^---[ \t]*\r?\n/.test(text)) return { ok: false, fault: NO_FRONT_MATTER };
  const end = /\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (end === null) return { ok: false, fault: OPEN_FRONT_MATTER };
  // It begins where the file does, and so its offsets are the file's.
  const readings = [...listingsOfYaml(text.slice(0, end.index + 1), positionsIn(text))];
  const [reading = NO_FIELDS] = readings;
  if (!reading.ok && reading.fault !== EMPTY_FILE) return reading;
  const fields = reading.ok ? reading.document : NO_FIELDS.document;
  if (readings.length > 1 || !isObject(fields.value)) return { ok: false, fault: NOT_FIELDS };
  return { ok: true, document: withBody(fields, text, end.index + end[0].length) };
}

/** A body is text as it stands, with the line ends of YAML. */
function withBody(fields: ListingDocument, text: string, from: number): ListingDocument {
  const body = text.slice(from).trim().replaceAll('\r\n', '\n');
  if (body === '') return fields;
  const start = positionsIn(text)(from + text.slice(from).search(/\S/));
  const given = fields.value as Record<string, unknown>;
  const { title: _, description: __, ...others } = given;
  const twice: Fault = {
    rule: 'json-repeated-field',
    path: ['description'],
    message: `is given twice, first in line ${fields.locate(['description'], 'name').line}, and as the text here`,
    hint: 'take one of them out: the text below the front matter is the description',
    ...start,
  };
  return {
    value: { ...('title' in given && { title: given.title }), description: body, ...others },
    flaws: 'description' in given ? [...fields.flaws, twice] : fields.flaws,
    flawsOmitted: fields.flawsOmitted,
    locate: (path, part) => (path[0] === 'description' ? start : fields.locate(path, part)),
  };
}

const NO_FIELDS = {
  ok: true as const,
  document: { value: {}, flaws: [], flawsOmitted: 0, locate: () => ({ line: 1, column: 1 }) },
};

const AS_MARKDOWN =
  'a job file in Markdown begins with ---, then a field on each line, then --- and the text';
const NO_FRONT_MATTER = contentFault('it has no front matter: no field is given', AS_MARKDOWN);
const OPEN_FRONT_MATTER = contentFault('its front matter has no end', AS_MARKDOWN);
const NOT_FIELDS = contentFault('its front matter holds no fields', AS_MARKDOWN);
