import { PartnerError } from '../../contract/errors.ts';

import { readPostings, type SourceDocument, type System } from './system.ts';
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
    const [form, hint] = formOf(document);
    throw new PartnerError('FILE_INVALID', { message: `${document.name} is ${form}`, hint });
  }
  const system: System = await SYSTEMS[named]();
  const isTitled = () => readPostings(system, document).postings.some(({ fields }) => fields.title);
  if (system.recognises(document) || isTitled()) return system;
  throw new PartnerError('FILE_INVALID', {
    message: `${document.name} holds no posting of ${system.title}`,
    hint: 'check that it has postings, or leave --from out to have it recognised',
  });
}

/** What a document looks like, for somebody who expected a feed, and what to do then. */
function formOf({ text, json, xml }: SourceDocument): readonly [form: string, hint: string] {
  if (text.trim() === '') return ['empty', 'save it again from where it comes'];
  const form = xml !== undefined ? `XML of <${xml.root}>` : json !== undefined ? 'JSON' : undefined;
  if (form === undefined)
    return [
      'no JSON, XML or HTML',
      'a table or another job file needs no import: see `partner help formats`',
    ];
  const known = `known are ${Object.keys(SYSTEMS).join(', ')}: if it is one of them, say so with --from`;
  return [`${form} without a posting of a known system`, known];
}
