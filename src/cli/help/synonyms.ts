/** What people type, and the last words of the commands that do it: the first that a topic has is meant, or its pair. */
const SYNONYMS: readonly (readonly [typed: string, meant: readonly string[]])[] = [
  ['show view open read info inspect describe print cat', ['get', 'show', 'status', 'search', 'list']],
  ['edit change modify patch amend', ['update', 'set', 'issue', 'switch']],
  ['new add make post', ['create', 'set', 'login', 'issue', 'add-card']],
  ['ls all index find', ['list', 'search', 'get', 'status']],
  ['delete rm remove del destroy', ['close', 'revoke', 'clear', 'logout', 'remove-card', 'reset']],
  ['start launch activate run', ['publish resume', 'serve']],
  ['stop hold suspend disable', ['pause close']],
  ['end finish cancel archive', ['close']],
  ['unpause continue reactivate', ['resume']],
  ['reopen renew copy clone duplicate', ['repost']],
  ['check lint verify', ['validate']],
  ['diff preview dry-run', ['plan']],
  ['sync push deploy', ['apply']],
  ['signin sign-in log-in', ['login']],
  ['signout sign-out log-out logoff', ['logout']],
  ['whoami me', ['auth status']],
  ['use select choose', ['switch', 'pick']],
  ['approve', ['accept']],
  ['decline refuse', ['reject']],
];

const REMOVES_A_JOB =
  'the service removes no job: `partner jobs close` ends a live one for good; a draft stays, is seen by nobody and costs nothing';

/** What is said where no command does what was typed. */
const INSTEAD: Readonly<Record<string, string>> = {
  'engine stop': '`partner engine serve` runs until Ctrl-C in its own terminal; nothing else runs',
};

/** The commands that `verb` means in `topic`; without a topic those of the jobs come first. */
export function commandsMeantBy(
  topic: readonly string[],
  verb: string,
  commands: readonly string[],
): readonly string[] {
  const meant = SYNONYMS.find(([typed]) => typed.split(' ').includes(verb))?.[1] ?? [];
  const rooms = topic.length > 0 ? [topic.join(' ')] : ['jobs', ...new Set(commands.map(topicOf))];
  for (const room of rooms) {
    for (const words of meant) {
      const names = words.includes('auth ') ? [words] : words.split(' ').map((word) => `${room} ${word}`);
      const found = names.filter((name) => commands.includes(name));
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** What to do instead where a plain "did you mean" would not tell the truth; undefined where it does. */
export function insteadOf(mistyped: string, near: readonly string[]): string | undefined {
  const isRemoval = /\b(?:delete|rm|remove|del|destroy)$/.test(mistyped) && near.includes('jobs close');
  return isRemoval ? REMOVES_A_JOB : INSTEAD[mistyped];
}

function topicOf(command: string): string {
  return command.split(' ').slice(0, -1).join(' ');
}
