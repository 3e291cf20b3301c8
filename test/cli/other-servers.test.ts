import { otherServersSuite } from './other-servers.ts';

describe('a server that answers in a wrong way', () => otherServersSuite('the others'));
