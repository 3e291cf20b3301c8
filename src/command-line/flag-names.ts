/** A flag as far as its names go. */
interface Named {
  readonly type: string;
  readonly allowNo?: boolean | undefined;
}

/** A flag as it may be typed: what can be said no to has two names, `--switch` and `--no-switch`. */
export function flagNames(name: string, flag: Named): string[] {
  return [`--${name}`, ...(flag.type === 'boolean' && flag.allowNo === true ? [`--no-${name}`] : [])];
}
