import { details, paragraph, prose, section } from '../terminal/blocks.ts';
import type { View } from '../terminal/view.ts';

/** A name, what is said about it, and what else belongs to it: the codes behind it, the values it takes. */
export interface GuideEntry {
  readonly name: string;
  readonly about: string;
  readonly more?: readonly string[];
}

/** A part of a guide: what stands under one heading, in this order. */
interface GuideSection {
  readonly heading: string;
  readonly text?: string;
  /** Shown as they are, never wrapped: a picture, a command line. */
  readonly lines?: readonly string[];
  readonly entries?: readonly GuideEntry[];
}

/** An answer to a question that no single command answers. */
export interface Guide {
  readonly topic: string;
  readonly about: string;
  readonly sections: readonly GuideSection[];
}

/** A guide for people: wrapped to the terminal, whole in a pipe. */
export function guideText({ about, sections }: Guide, view: View): string {
  const parts = sections.map((part) => section(part.heading, sectionBody(part, view), view));
  return [paragraph(about, view), ...parts].join('');
}

function sectionBody({ text = '', lines = [], entries = [] }: GuideSection, view: View): string {
  return [
    prose(text, Number.POSITIVE_INFINITY, view),
    lines.map((line) => `  ${line}`.trimEnd().concat('\n')).join(''),
    details(
      entries.map((entry) => [entry.name, entryText(entry, view)]),
      view,
      'cyan',
    ),
  ]
    .filter((body) => body !== '')
    .join('\n');
}

function entryText({ about, more = [] }: GuideEntry, { paint }: View): string {
  return more.length === 0 ? about : `${about}\n${paint('dim', more.join(' · '))}`;
}
