import type { Finding } from './finding.ts';
import { type Checking, findingsOf } from './findings.ts';
import { readListings } from './read.ts';

/** What a check of files found. */
export interface Report {
  /** The files in their order, each with how many listings it holds; what cannot be read counts as one. */
  readonly files: readonly { readonly file: string; readonly listings: number }[];
  readonly listings: number;
  /** In the order of the files and of their lines. */
  readonly findings: readonly Finding[];
}

/** Reads and checks every listing of the files, one file at a time. Throws FILE_UNREADABLE. */
export async function checkFiles(
  names: readonly string[],
  stdin: NodeJS.ReadableStream,
  checking: Checking,
): Promise<Report> {
  const files: { file: string; listings: number }[] = [];
  const findings: Finding[] = [];
  for (const name of names) {
    const reading = await readListings(name, stdin);
    const unread = reading.findings.filter(({ level }) => level === 'error');
    files.push({ file: reading.file, listings: reading.listings.length + unread.length });
    const found = [
      ...reading.findings,
      ...reading.listings.flatMap((listing) => findingsOf(listing, checking)),
    ];
    findings.push(...found.sort((a, b) => a.index - b.index));
  }
  return { files, listings: files.reduce((sum, { listings }) => sum + listings, 0), findings };
}
