/** A bare `node:http` server. It returns the same body for every request, with the size of the last message. */
import { createServer } from 'node:http';

let body = '';
const server = createServer((_incoming, outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  outgoing.end(body);
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', (bytes) => {
  body = JSON.stringify('x'.repeat(bytes - 2));
  process.send({ bytes });
});
