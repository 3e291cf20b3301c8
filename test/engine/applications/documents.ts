import documents from './documents.json' with { type: 'json' };

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/** One byte per character, except with `utf8`. */
const bytesOf = ({ content, encoding }: { content: string; encoding?: string }) =>
  Buffer.from(content, encoding === 'utf8' ? 'utf8' : 'latin1');

export const TAKEN = documents.taken.map((each) => [each.type, each.name, bytesOf(each)] as const);

export const REFUSED = documents.refused.map((each) => [each.what, bytesOf(each), each.name] as const);
