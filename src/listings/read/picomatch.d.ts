declare module 'picomatch' {
  interface Scanned {
    readonly base: string;
    readonly glob: string;
    readonly isGlob: boolean;
    readonly isGlobstar: boolean;
    readonly isBrace: boolean;
  }
  const picomatch: {
    (glob: string): (path: string) => boolean;
    scan(pattern: string, options: { readonly scanToEnd: true }): Scanned;
  };
  export default picomatch;
}
