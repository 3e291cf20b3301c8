import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openSocket } from './socket.ts';
import { ON_THE_WIRE, specification } from './specification.ts';

const BUNDLE = fileURLToPath(new URL('../../dist/partner.cjs', import.meta.url));

// test/long runs all sections over a socket; here they run in process.
if (existsSync(BUNDLE)) {
  specification('over a socket, against `partner engine serve`', () => openSocket(), ON_THE_WIRE);
} else {
  console.warn(
    `the specification is not run over a socket: ${BUNDLE} is missing, \`npm run build\` makes it`,
  );
}
