import { dirname, join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { attemptWrite } from '../../contract/system-errors.ts';
import { isObject } from '../../contract/values.ts';
import { findEntry, readOwnText, refuseLink, replaceFile } from '../../files/own-file.ts';
import { nearest } from '../../text/nearest.ts';
import { type MapPart, type Mapping, toMappingKey } from '../read/listing.ts';
import { DEFAULTS_FILES } from '../read/paths.ts';
import { COLUMN_NAMES, columnCalled } from '../read/table/columns.ts';
import forms from './mapping-values.json' with { type: 'json' };
import type { Proposal } from './propose-mapping.ts';
import type { Report } from './rules.ts';

/** Returns what a `_defaults.yaml` sets for reading other files. */
export function readMapping(given: Readonly<Record<string, unknown>>, report: Report): Mapping {
  const values = Object.entries(forms).filter(([name, { type, pattern, message, hint }]) => {
    const value = given[name] ?? undefined;
    const isValid = typeof value === type && new RegExp(pattern, 'u').test(String(value));
    if (value !== undefined && !isValid) report([name], message, hint);
    return isValid;
  });
  return {
    ...Object.fromEntries(values.map(([name]) => [name, given[name]])),
    columns: readNames('columns', given.columns ?? {}, report),
    fields: readNames('fields', given.fields ?? {}, report),
    values: readNames('values', given.values ?? {}, report),
  };
}

function readNames(part: MapPart, given: unknown, report: Report): Map<string, string> {
  const isOfValues = part === 'values';
  const example = `for example ${part}: { ${isOfValues ? 'Alternance: internship' : 'Job: title'} }`;
  if (!isObject(given))
    report([part], `must be a map of their ${isOfValues ? 'values' : 'names'} to ours`, example);
  const pairs = isObject(given) ? Object.entries(given) : [];
  for (const [theirs, ours] of pairs) {
    if (typeof ours === 'string' && (isOfValues || ours === 'ignore' || columnCalled(ours))) continue;
    const near = nearest(String(ours), COLUMN_NAMES);
    const hint = near
      ? `did you mean ${near}?`
      : `use ignore or one of ${COLUMN_NAMES.slice(0, 5).join(', ')}, …`;
    if (isOfValues) report([part, theirs], 'must be text', example);
    else report([part, theirs], `${JSON.stringify(ours)} isn't a field of a listing`, hint);
  }
  return new Map(pairs.map(([theirs, ours]) => [toMappingKey(theirs), String(ours)]));
}

/**
 * Adds a mapping to the `_defaults.yaml` next to a file, without writing it in a dry run. Existing entries and
 * comments stay. Throws FILE_INVALID, LINK_REFUSED and OUTPUT_UNWRITABLE.
 */
export async function writeMapping(file: string, proposal: Proposal, isDry: boolean) {
  const { Document, parseAllDocuments } = await import('yaml');
  const paths = DEFAULTS_FILES.map((name) => join(dirname(file), name));
  const path = paths.find((one) => findEntry(one) !== undefined) ?? join(dirname(file), DEFAULTS_FILES[0]);
  const before = readOwnText(path, 'the shared fields', 'check its permissions') ?? '';
  const [parsed] = parseAllDocuments(before);
  const document = parsed ?? new Document({});
  if (document.errors.length > 0 || !isObject(document.toJS()))
    throw new PartnerError('FILE_INVALID', {
      message: `${path} isn't valid`,
      hint: 'run `partner jobs validate` to see why',
    });
  const { part, sheet, currency, country, columns, unclear } = proposal;
  const added = [
    ...columns
      .filter(({ isRead }) => !isRead)
      .map(({ name, field, doubt }) => ({ path: [part, name], to: field, doubt })),
    ...unclear.map(({ part, text, to, doubt }) => ({ path: [part, text], to, doubt })),
  ];
  for (const [name, value] of Object.entries({ sheet, currency, country }))
    if (value) document.set(name, value);
  for (const { path: at, to, doubt } of added) {
    const node = document.createNode(to, { flow: true });
    if (doubt !== undefined) node.comment = ` ${doubt.replace(/\s+/g, ' ')}`;
    document.setIn(at, node);
  }
  const isJson = path.endsWith('.json');
  const yaml = `${parsed === undefined ? before : ''}${document.toString({ lineWidth: 0 })}`;
  const text = isJson ? `${JSON.stringify(document, undefined, 2)}\n` : yaml;
  const isNeeded = added.length > 0 || [sheet, currency, country].some((value) => value !== undefined);
  if (isNeeded && !isDry)
    attemptWrite(path, () => {
      refuseLink(path);
      replaceFile(path, text);
    });
  return { path, isNeeded, text };
}
