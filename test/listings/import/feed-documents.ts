import { readFileSync } from 'node:fs';
import { withMarkup } from '../../../src/listings/import/markup.ts';
import {
  type DocumentPostings,
  readPostings,
  type SourceDocument,
} from '../../../src/listings/import/system.ts';
import { SYSTEMS, type SystemName } from '../../../src/listings/import/systems/index.ts';

/** Our own feeds, as the documentation of each system has them, and the address that each could be read from. */
export const FEEDS = [
  { file: 'recruitee.json', system: 'recruitee', name: 'https://lantern.recruitee.com/api/offers/' },
  { file: 'personio.xml', system: 'personio', name: 'https://werft.jobs.personio.de/xml?language=en' },
  { file: 'indeed.xml', system: 'indeed', name: 'indeed.xml' },
  { file: 'schema-org.json', system: 'schema.org', name: 'schema-org.json' },
  { file: 'schema-org.html', system: 'schema.org', name: 'schema-org.html' },
] as const;

export type Feed = (typeof FEEDS)[number];

export function textOf(feed: Feed): string {
  return readFileSync(new URL(`../../fixtures/import/${feed.file}`, import.meta.url), 'utf8');
}

export function documentOf(name: string, text: string): Promise<SourceDocument> | SourceDocument {
  return /^\s*[[{]/.test(text) ? { name, text, json: JSON.parse(text) } : withMarkup({ name, text });
}

export async function postingsOf(system: SystemName, document: SourceDocument): Promise<DocumentPostings> {
  return readPostings(await SYSTEMS[system](), document);
}
