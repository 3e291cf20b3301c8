import { otherServersSuite } from '../cli/other-servers.ts';

describe('a server that answers in a wrong way, and is waited for', () =>
  otherServersSuite('those waited for'));
