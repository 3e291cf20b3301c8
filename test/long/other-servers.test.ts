import { otherServersSuite } from '../cli/other-servers.ts';

describe('a server that answers in a wrong way', () => {
  otherServersSuite('the others');
  otherServersSuite('those waited for');
});
