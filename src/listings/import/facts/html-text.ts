/** Loads the parser once; what it gives is the plain text of a piece of HTML, also where that is escaped twice. */
export async function htmlReader(): Promise<(html: string) => string> {
  const { compile } = await import('html-to-text');
  return compile({ wordwrap: false });
}
