import { openSocket } from '../http/socket.ts';
import { specification } from '../http/specification.ts';

specification('over a socket, against `partner engine serve`', openSocket);
