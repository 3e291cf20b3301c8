import { playHistories } from './histories.ts';
import { historyIn } from './history.ts';

/** Arguments: SEED COUNT. Prints the results of COUNT histories as JSON. */
const [seed, count] = process.argv.slice(2).map(Number);
process.stdout.write(JSON.stringify(await playHistories(seed ?? 0, count ?? 0, historyIn())));
