// Replaces `@neon-rs/load` and `detect-libc` in the bundle. Finds the native part of libsql by trying to load it. The
// original packages create a diagnostic report of Node, which takes a tenth of a command's startup time.
const { platform, arch } = process;

const CANDIDATES = {
  linux: [`linux-${arch}-gnu`, `linux-${arch}-musl`, 'linux-arm-gnueabihf', 'linux-arm-musleabihf'],
  darwin: [`darwin-${arch}`],
  win32: [`win32-${arch}-msvc`],
};

exports.GLIBC = 'glibc';
exports.MUSL = 'musl';
/** `libsql` uses this to correct the target, but the target is already correct here. */
exports.familySync = () => undefined;

exports.currentTarget = () => {
  const failures = [];
  for (const target of CANDIDATES[platform] ?? []) {
    try {
      require(`@libsql/${target}`);
      return target;
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(
    failures,
    `Can't load the native part of libsql for ${platform} ${arch}. Reinstall partner.`,
  );
};
