import { DATABASE_KINDS } from '../engine/store/dialects.ts';
import { openSocket } from '../http/socket.ts';
import { specification } from '../http/specification.ts';

for (const kind of DATABASE_KINDS) {
  // PGlite runs inside this process, so a separate engine can't reach it.
  if (kind === 'pglite') continue;
  specification(`over a socket, against \`partner engine serve\` on ${kind}`, () => openSocket(kind));
}
