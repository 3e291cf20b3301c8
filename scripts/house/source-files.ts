import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

interface Import {
  /** Path relative to the repository root, or package name. */
  readonly from: string;
  /** True for an import that only refers to types, so it loads nothing at run time. */
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly imports: readonly Import[];
}

/** `import … from '…'`, `export … from '…'` and `import('…')`; `import('…').Name` and `typeof import('…')` are types. */
const STATIC = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /(typeof\s+)?\bimport\('([^']+)'\)(\.[A-Z])?/g;

/** Returns all TypeScript files in a folder and its subfolders, sorted by path. */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(folder, name))
    .sort()
    .map((path) => {
      const text = readFileSync(join(path), 'utf8');
      return { path, lines: text.trimEnd().split('\n'), imports: importsIn(path, text) };
    });
}

function importsIn(path: string, text: string): Import[] {
  const named = (name: string) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name);
  return [
    ...Array.from(text.matchAll(STATIC), ([, type, name = '']) => ({
      from: named(name),
      isTypeOnly: type !== undefined,
    })),
    ...Array.from(text.matchAll(DYNAMIC), ([, type, name = '', member]) => ({
      from: named(name),
      isTypeOnly: type !== undefined || member !== undefined,
    })),
  ];
}
