const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied: this user may not',
  EPERM: 'permission denied: this user may not',
  EROFS: 'it lies on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: "the disk is full for this user: the quota (this user's share of it) is used up",
  EFBIG: 'it would be larger than this process may make files (ulimit -f)',
  EIO: 'the disk failed (I/O error)',
  EMFILE: 'too many open files in this process (ulimit -n)',
  ENFILE: 'too many open files on this machine',
  EBUSY: 'another process has it locked',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is a file, not a directory',
  EEXIST: 'a part of its path is a file, not a directory',
  ENOENT: 'there is no such file or directory',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENXIO: 'it is a socket or a device that cannot be read',
};

export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

/** `'undefined'` where it has none. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null | undefined)?.code);
}
