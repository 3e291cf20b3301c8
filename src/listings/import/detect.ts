import { PartnerError } from '../../contract/errors.ts';
import { isObject } from '../../contract/values.ts';
import type { SourceDocument, System } from './system.ts';
import { SYSTEMS, type SystemName } from './systems/index.ts';

/** The system of a document by its form, in the order of the table; undefined where none knows it. */
export async function detectSystem(document: SourceDocument): Promise<System | undefined> {
  for (const load of Object.values(SYSTEMS)) {
    const system: System = await load();
    if (system.recognises(document)) return system;
  }
  return undefined;
}

/** The system that was named, or that the document shows. Throws FILE_INVALID where the document is neither's. */
export async function systemOf(document: SourceDocument, named: SystemName | undefined): Promise<System> {
  if (named === undefined) {
    const detected = await detectSystem(document);
    if (detected !== undefined) return detected;
    const hint = `known are ${Object.keys(SYSTEMS).join(', ')}: if it is one of them, say so with --from`;
    throw new PartnerError('FILE_INVALID', { message: `${document.name} is ${formOf(document)}`, hint });
  }
  const system: System = await SYSTEMS[named]();
  if (system.recognises(document) || [...system.postings(document)].some(isObject)) return system;
  const message = `${document.name} holds no posting of ${system.title}`;
  throw new PartnerError('FILE_INVALID', { message, hint: 'leave --from out to have it recognised' });
}

/** What a document looks like, for somebody who expected a feed. */
function formOf({ text, json, xml }: SourceDocument): string {
  if (text.trim() === '') return 'empty';
  const form = xml !== undefined ? `XML of <${xml.root}>` : json !== undefined ? 'JSON' : undefined;
  return form === undefined ? 'no JSON, XML or HTML' : `${form} without a posting of a known system`;
}
