import { errorText } from '#kernel';
import { drawsOf } from '#kernel/testing/draws';
import { walletModels } from '#projections';
import { findingsOf, inTransit } from './check.js';
import { createClients } from './clients.js';
import { createVisitors } from './visitors.js';
import { createIdentityServer } from './identities.js';
import { createDeployment } from './deployment.js';
import { beginFaults } from './faults.js';
import { createLogServer, type LogServer } from './log.js';
import type { World } from './network.js';
import { calm, drawPlan, likely, type Plan, type PlantedBug } from './plan.js';
import type { Ground } from './programs.js';
import { withoutOwnTime } from './own-time.js';
import { createStores, type Stores } from './stores.js';
import { createVirtualTime } from './time.js';

export type SimulationOptions = {
  readonly bug?: PlantedBug | undefined;
  /** Hears each line of the trace. */
  readonly trace?: (line: string) => void;
};

/** What came of a run. */
export type SimulationResult = {
  readonly seed: number;
  readonly plan: Plan;
  /** What is wrong; nothing when all promises were kept. */
  readonly findings: readonly string[];
  /** Of all that happened, in order: the same for the same seed and program. */
  readonly hash: string;
  readonly steps: number;
  /** Virtual time, in milliseconds. */
  readonly ms: number;
  readonly events: number;
  /** Kinds of what came about: types of events, faults, problems that programs told, answers. */
  readonly happened: ReadonlySet<string>;
};

/** How long clients and faults may take, in virtual milliseconds, and how long it may take after that until all is well. */
const WORK_MS = 900_000;
const HEAL_MS = 300_000;
/** For how long nothing must change any more until all is well, in virtual milliseconds. */
const QUIET_MS = 1_500;

/** Runs a deployment of two of each program with the faults of a seed, then without any, and looks at what is left. */
export function simulate(seed: number, options: SimulationOptions = {}): Promise<SimulationResult> {
  return withoutOwnTime(() => run(seed, options));
}

async function run(seed: number, { bug, trace }: SimulationOptions): Promise<SimulationResult> {
  const draws = drawsOf(seed);
  const happened = new Set<string>();
  const time = createVirtualTime(draws, trace);
  const plan = { ...drawPlan(draws), ...(bug && likely[bug]) };
  const world: World = { time, draws, plan, happened };
  const log = createLogServer(world, bug);
  const stores = createStores(world);
  const identities = createIdentityServer(world);
  const ground: Ground = { world, log, stores, identities, bug };
  const deployment = createDeployment(ground);
  const clients = createClients(world, deployment.apis, (commandId) =>
    log.events().some(({ meta }) => meta.commandId === commandId),
  );
  const visitors = createVisitors(world, deployment.apis);
  const findings: string[] = [];
  const end = (more: readonly string[]): SimulationResult => {
    stores.close();
    void identities.close();
    const found = [...findings, ...clients.findings, ...visitors.findings, ...more];
    const [steps, ms, events] = [time.steps(), time.now(), log.events().length];
    for (const { type } of log.events()) happened.add(type);
    return { seed, plan, findings: found, hash: time.hash(), steps, ms, events, happened };
  };
  // Most errors here are injected and handled: their stacks cost more than all else that is done with them.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await identities.register();
    deployment.start();
    clients.start(visitors.start);
    const endFaults = beginFaults(ground, deployment);
    if (!(await time.until(() => clients.haveEnded() && visitors.haveEnded(), WORK_MS)))
      findings.push('clients did not come to their end');
    endFaults();
    world.plan = calm(plan);
    deployment.heal();
    if (!(await time.until(createQuiet(world, log, stores), HEAL_MS)))
      findings.push('it did not become well again');
    const isRemembered = plan.cacheBytes > 1;
    return end(await findingsOf({ log, models: stores.models.inner(), sent: clients.sent, isRemembered }));
  } catch (error) {
    return end([errorText(error)]);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Whether all that follows from the log has been done: its documents are there, and nothing was added for a while. */
function createQuiet({ time }: World, log: LogServer, stores: Stores): () => boolean {
  let seen = -1;
  let since = 0;
  let asked = -Infinity;
  let isCurrent = false;
  const look = async () => {
    const head = log.events().at(-1)?.position;
    const active = (await stores.models.inner().builds()).filter(({ state }) => state === 'active');
    const isCarriedOn = inTransit(log.events()).length === 0;
    isCurrent =
      isCarriedOn &&
      walletModels.every(({ name }) =>
        active.some(({ build, checkpoint }) => build.collection === name && checkpoint.position === head),
      );
  };
  return () => {
    const now = time.now();
    if (now - asked >= 100) {
      asked = now;
      void look();
    }
    const { length } = log.events();
    if (length !== seen || !isCurrent) [seen, since] = [length, now];
    return now - since >= QUIET_MS;
  };
}
