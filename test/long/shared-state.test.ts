import { itOn, STATE_KINDS, stateRounds } from '../cli/state-rounds.ts';

const ROUNDS = 25;

describe(`${ROUNDS} rounds of concurrent applies and kills`, () => {
  for (const kind of STATE_KINDS)
    itOn(kind)(`on a state of the kind ${kind}`, async () => console.log(await stateRounds(kind, ROUNDS)));
});
