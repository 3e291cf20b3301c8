// In the bundle this stands in for `@neon-rs/load` and `detect-libc`: the native part of libsql that this
// machine can load, found by loading it. Those two ask Node for a whole diagnostic report, which takes a tenth
// of the start of a command.
const { platform, arch } = process;

const CANDIDATES = {
  linux: [`linux-${arch}-gnu`, `linux-${arch}-musl`, 'linux-arm-gnueabihf', 'linux-arm-musleabihf'],
  darwin: [`darwin-${arch}`],
  win32: [`win32-${arch}-msvc`],
};

exports.GLIBC = 'glibc';
exports.MUSL = 'musl';
/** `libsql` asks so that it can correct the target; here the target is right already. */
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
  throw new AggregateError(failures, `libsql has no native part for ${platform} ${arch}: reinstall partner`);
};
