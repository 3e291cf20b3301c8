/** The SGR codes that start and end a style. Sixteen-colour codes only: the terminal's theme decides. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof STYLES;

/** Gives `text` a style, or leaves it as it is where there is no colour. */
export type Paint = (style: Style | undefined, text: string) => string;

export function painter(colour: boolean): Paint {
  return (style, text) => {
    if (!colour || style === undefined || text === '') return text;
    const [start, end] = STYLES[style];
    return `\x1b[${start}m${text}\x1b[${end}m`;
  };
}
