// The log's row in a process of its own, so that its processor time can be told: prints events a second.
import { logRate } from './log.mjs';

const [folder, seconds] = process.argv.slice(2);
const { perSecond } = await logRate(folder, Number(seconds), 1);
console.log(perSecond);
