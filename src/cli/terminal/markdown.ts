import { type Detail, details, prose, type View } from './view.ts';

/** A fenced block, a comment, a heading, a table, or the lines up to the next empty one. */
const BLOCKS = /^```.*\n([\s\S]*?)\n```$|^<!--[\s\S]*?-->$|^#+ +(.*)$|^(\|.*(?:\n\|.*)*)$|^(.+(?:\n.+)*)$/gm;

/** A Markdown document for people: as much of Markdown as the project's own documents use. */
export function markdownText(source: string, view: View): string {
  let text = '';
  for (const [, code, heading, table, lines] of source.matchAll(BLOCKS)) {
    const block =
      heading !== undefined
        ? `${view.paint('bold', inline(heading))}\n`
        : code !== undefined
          ? code.replace(/^(?=.)/gm, '  ').concat('\n')
          : table !== undefined
            ? tableText(table, view)
            : prose(paragraphOf(lines ?? ''), view);
    if (block !== '') text += text === '' ? block : `\n${block}`;
  }
  return text;
}

function tableText(table: string, view: View): string {
  const [head = '', , ...rows] = table.split('\n');
  const [, ...titles] = cellsOf(head);
  const isPair = titles.length < 2;
  const described = rows.map(cellsOf).map(([name = '', ...cells]): Detail => {
    return [name.replaceAll('`', '') || '–', cells.map((cell) => cell || '–').join(' · ')];
  });
  const legend = isPair ? [] : [[cellsOf(head)[0] || '–', view.paint('dim', titles.join(' · '))] as const];
  return details([...legend, ...described], view, 'cyan');
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => inline(cell.trim().replaceAll('\\|', '|')));
}

/** The lines of a paragraph as one, and each item of a list as one. */
function paragraphOf(lines: string): string {
  const items = lines.split(/\n(?= *(?:-|\d+\.) )/);
  return items.map((item) => inline(item.replace(/\s*\n\s*/g, ' '))).join('\n');
}

function inline(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\*\*(.+?)\*\*/g, '$1');
}
