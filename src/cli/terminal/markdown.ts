import { type Detail, details, prose, type View } from './view.ts';

const BLOCKS = /^```.*\n([\s\S]*?)\n```$|^<!--[\s\S]*?-->$|^#+ +(.*)$|^(\|.*(?:\n\|.*)*)$|^(.+(?:\n.+)*)$/gm;

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
            : prose(formatParagraph(lines ?? ''), view);
    if (block !== '') text += text === '' ? block : `\n${block}`;
  }
  return text;
}

function tableText(table: string, view: View): string {
  const [head = '', , ...rows] = table.split('\n');
  const [, ...titles] = parseCells(head);
  const isPair = titles.length < 2;
  const described = rows.map(parseCells).map(([name = '', ...cells]): Detail => {
    return [name.replaceAll('`', '') || '–', cells.map((cell) => cell || '–').join(' · ')];
  });
  const legend = isPair ? [] : [[parseCells(head)[0] || '–', view.paint('dim', titles.join(' · '))] as const];
  return details([...legend, ...described], view, 'cyan');
}

function parseCells(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => inline(cell.trim().replaceAll('\\|', '|')));
}

function formatParagraph(lines: string): string {
  const items = lines.split(/\n(?= *(?:-|\d+\.) )/);
  return items.map((item) => inline(item.replace(/\s*\n\s*/g, ' '))).join('\n');
}

function inline(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\*\*(.+?)\*\*/g, '$1');
}
