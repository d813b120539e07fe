import { parseArgs } from 'node:util';
import { plantedBugs, type PlantedBug } from './plan.js';
import { simulate } from './run.js';

/* Runs seeds one after the other, and prints each that fails, with how to run it again. */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    bug: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});

const from = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const bug = values.bug as PlantedBug | undefined;
if (![from, count].every(Number.isSafeInteger) || (bug !== undefined && !(bug in plantedBugs))) {
  console.error('Seeds are whole numbers: --seeds 2000 --from 1, or --seed 17 --trace.');
  console.error(`A bug to plant is one of ${Object.keys(plantedBugs).join(', ')}.`);
  process.exit(2);
}

const happened = new Map<string, number>();
let current = from;
const again = (seed: number) =>
  `npm run simulate -- --seed ${seed}${bug === undefined ? '' : ` --bug ${bug}`} --trace`;
// What nobody awaits ends a program, and so the simulation too.
process.on('unhandledRejection', (error) => {
  console.log(`seed ${current} FAILED; again: ${again(current)}`);
  console.error(error);
  process.exit(1);
});
const sum = { failed: 0, steps: 0, events: 0, ms: 0 };
const began = performance.now();
for (let seed = from; seed < from + count; seed += 1) {
  current = seed;
  const trace = values.trace ? (line: string) => console.log(line) : undefined;
  const {
    findings,
    hash,
    steps,
    events,
    ms,
    happened: kinds,
  } = await simulate(seed, { bug, ...(trace && { trace }) });
  sum.steps += steps;
  sum.events += events;
  sum.ms += ms;
  for (const kind of kinds) happened.set(kind, (happened.get(kind) ?? 0) + 1);
  if (values.seed !== undefined) console.log(`seed ${seed}: ${steps} steps, ${events} events, trace ${hash}`);
  if (findings.length === 0) continue;
  sum.failed += 1;
  console.log(`seed ${seed} FAILED; again: ${again(seed)}`);
  for (const finding of findings.slice(0, 10)) console.log(`  ${finding}`);
}
const seconds = (performance.now() - began) / 1_000;
console.log(
  `${count} seeds, ${sum.failed} failed: ${sum.events} events, ${sum.steps} steps, ${Math.round(sum.ms / 60_000)} virtual minutes in ${seconds.toFixed(1)} s`,
);
const often = [...happened].toSorted(([, a], [, b]) => b - a).map(([kind, runs]) => `${kind} ${runs}`);
console.log(`What came about, and in how many of them: ${often.join(', ')}`);
process.exitCode = sum.failed === 0 ? 0 : 1;
