import type { Deployment } from './deployment.js';
import type { Fault } from './plan.js';
import type { Ground } from './programs.js';

/** The longest pause, which is longer than a lease, and how long a log is away at most, in milliseconds. */
const PAUSE_MS = 15_000;
const AWAY_MS = 2_000;
const HALF_A_DAY_MS = 12 * 60 * 60 * 1_000;

/** Has something go wrong now and then, as the plan says. Gives what ends that. */
export function beginFaults(ground: Ground, deployment: Deployment): () => void {
  const { world } = ground;
  const { time, draws, plan } = world;
  let isOver = false;
  const next = () => {
    if (isOver) return;
    time.after(draws.between(0, 2 * plan.faultEveryMs), 'fault', () => {
      if (isOver) return;
      const fault = draws.oneOf(plan.faults);
      time.note(`fault: ${fault}`);
      world.happened.add(fault);
      cause(fault, ground, deployment);
      next();
    });
  };
  if (plan.faults.length > 0) next();
  return () => {
    isOver = true;
  };
}

function cause(fault: Fault, { world, log, stores }: Ground, deployment: Deployment): void {
  const { time, draws, plan } = world;
  const place = draws.oneOf(deployment.places);
  switch (fault) {
    case 'kill':
      deployment.kill(place);
      return;
    case 'pause':
      place.life?.pause(draws.between(0, PAUSE_MS));
      return;
    case 'clock step':
      (draws.chance(0.5)
        ? draws.oneOf(deployment.places.filter(({ kind }) => kind === 'api'))
        : place
      ).wall.skewMs += Math.floor(draws.between(-plan.skewMs, plan.skewMs));
      return;
    case 'log restart':
      log.restart(draws.between(0, AWAY_MS));
      return;
    case 'projector thread dies':
      draws.oneOf(deployment.places.filter(({ kind }) => kind === 'projector')).endThread?.();
      return;
    case 'power loss of the read models':
      // It is the machine of whoever has them, and of everybody who had heard of what is gone.
      for (const one of deployment.places) deployment.kill(one);
      time.after(0, 'read models come back', stores.models.losePower);
      return;
    case 'jobs are lost':
      stores.loseJobs();
      return;
    case 'half a day passes':
      deployment.skip(HALF_A_DAY_MS);
  }
}
