import documents from './documents.json' with { type: 'json' };

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/** The bytes of a content: a character each, if nothing else is said. */
const bytesOf = ({ content, encoding }: { content: string; encoding?: string }) =>
  Buffer.from(content, encoding === 'utf8' ? 'utf8' : 'latin1');

/** By the type that each is taken as. */
export const TAKEN = documents.taken.map((each) => [each.type, each.name, bytesOf(each)] as const);

/** By what each is that is refused, also under the name `cv.pdf`. */
export const REFUSED = documents.refused.map((each) => [each.what, bytesOf(each), each.name] as const);
