import { isObject } from '../../../contract/values.ts';
import type { Fault } from '../../check/finding.ts';
import { type ListingDocument, type Mapping, toMappingKey } from '../listing.ts';
import { COLUMNS, type Column, findColumn } from './columns.ts';
import { readRow } from './table.ts';

/** Reads a listing's fields mapped in `_defaults.yaml` like table cells. Other fields are unchanged. */
export function readMappedFields(document: ListingDocument, mapping: Mapping): ListingDocument {
  const { fields } = mapping;
  const { value, flaws, locate, advice } = document;
  if (advice !== undefined || !isObject(value)) return document;
  // Whether the job is remote determines what a country means.
  const isRead = (key: string) => fields?.has(toMappingKey(key)) || (key === 'remoteOption' && value[key]);
  const names = Object.keys(value).filter(isRead);
  const own = Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
  const columns = names.flatMap((header, index): Column[] => {
    const column = findColumn(header, fields && { columns: fields });
    return column === undefined || column === 'ignore' ? [] : [{ ...column, index, header }];
  });
  const locateCell = (index: number) => locate([names[index] ?? '']);
  const twins = columns.flatMap(({ name, header, index }): Fault[] => {
    const { field } = COLUMNS[name];
    const other = columns.find((one) => one.name === name && one.index < index)?.header;
    const twin = other ?? (Object.hasOwn(own, field) ? field : undefined);
    if (twin === undefined) return [];
    const message = `is set by both "${twin}" and "${header}"`;
    const hint = 'map one of them to `ignore` in _defaults.yaml';
    return [{ rule: 'invalid-value', path: [field], message, hint, ...locateCell(index) }];
  });
  const row = { row: 0, cells: names.map((name) => formatCell(value[name])), locateCell };
  const header = { columns, flaws: [], ignored: new Set(names.keys()), mapping, noun: 'field' };
  const read = readRow(row, header, '.');
  return {
    ...document,
    value: { ...(read.value as object), ...own },
    flaws: [...flaws, ...twins, ...read.flaws],
    unclearPay: read.unclearPay,
    locate: (path, part) =>
      Object.hasOwn(own, path[0] ?? '') || path.length === 0 ? locate(path, part) : read.locate(path),
  };
}

/** Formats a YAML or JSON value as a table cell. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && !value.some((item) => typeof item === 'object')) return value.join('\n');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
