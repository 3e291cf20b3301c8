import { equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isObject } from '../../src/contract/values.ts';
import { parseDocument as documentOfBytes } from '../../src/import/documents.ts';
import { readPostings, type SourceDocument } from '../../src/import/system.ts';
import { SYSTEMS, type SystemName } from '../../src/import/systems/index.ts';

export function textOf(file: string): string {
  return readFileSync(new URL(`../fixtures/import/${file}`, import.meta.url), 'utf8');
}

export function documentOf(name: string, text: string): Promise<SourceDocument> {
  return documentOfBytes(name, { bytes: Buffer.from(text) });
}

export async function postingsOf(system: SystemName, document: SourceDocument) {
  return readPostings(await SYSTEMS[system](), document);
}

const TYPES: Readonly<Record<string, string>> = {
  min: 'number',
  max: 'number',
  isHtml: 'boolean',
  isReserved: 'boolean',
  isHidden: 'boolean',
  isRequirements: 'boolean',
};

export function assertTyped(fields: Readonly<Record<string, { value: unknown }>>): void {
  for (const [field, { value }] of Object.entries(fields)) {
    const entries = Array.isArray(value) ? value : [value];
    for (const entry of entries) {
      const parts = isObject(entry) ? Object.entries(entry) : [['', entry] as const];
      ok(parts.length > 0, field);
      for (const [name, part] of parts) {
        const texts = Array.isArray(part) ? part : [part];
        for (const text of texts) equal(typeof text, TYPES[name] ?? 'string', `${field}.${name}`);
      }
    }
  }
}
