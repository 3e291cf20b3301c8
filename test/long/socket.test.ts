import { DATABASE_KINDS } from '../engine/store/dialects.ts';
import { openSocket } from '../http/socket.ts';
import { specification } from '../http/specification.ts';

for (const kind of DATABASE_KINDS) {
  // What is in this process no other one reaches.
  if (kind === 'pglite') continue;
  specification(`over a socket, against \`partner engine serve\` on ${kind}`, () => openSocket(kind));
}
