import { type CliContext, isSet } from '../../cli/terminal/streams.ts';

/** Returns the reason if no browser was opened. */
export async function openBrowser(
  url: string,
  context: Pick<CliContext, 'env'>,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const why = findObstacle(context.env, platform);
  if (why !== undefined) return why;
  try {
    const { default: open } = await import('open');
    await open(url);
    return undefined;
  } catch {
    return 'no browser could be started';
  }
}

function findObstacle(env: CliContext['env'], platform: NodeJS.Platform): string | undefined {
  if (env.SSH_CONNECTION || env.SSH_TTY) return 'this is an SSH session';
  if (isSet(env.CI)) return 'this is a CI environment';
  const hasDisplay = env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME;
  if (platform !== 'darwin' && platform !== 'win32' && !hasDisplay) return 'this machine has no display';
  return undefined;
}
