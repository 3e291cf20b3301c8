import type { Document } from 'yaml';
import { isHidden, type WrittenListing, yamlDocument, yamlText } from './yaml.ts';

/** The front matter of a Markdown job file as a document, and its body: the description where a body can say it exactly. */
export function markdownParts(yaml: Parameters<typeof yamlDocument>[0], listing: WrittenListing) {
  const { description = '', ...others } = listing;
  const isBody = description !== '' && description.trim() === description && !isHidden(description);
  return isBody
    ? { head: yamlDocument(yaml, others), body: description }
    : { head: yamlDocument(yaml, listing), body: '' };
}

export function markdownText({ head, body }: { readonly head: Document; readonly body: string }): string {
  return `---\n${yamlText(head)}---\n${body === '' ? '' : `\n${body}\n`}`;
}
