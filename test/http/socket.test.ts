import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openSocket } from './socket.ts';
import { specification } from './specification.ts';

const BUNDLE = fileURLToPath(new URL('../../dist/partner.cjs', import.meta.url));

if (existsSync(BUNDLE)) {
  specification('over a socket, against `partner engine serve`', openSocket);
} else {
  console.warn(
    `the specification is not run over a socket: ${BUNDLE} is missing, \`npm run build\` makes it`,
  );
}
