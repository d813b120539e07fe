import { join } from 'node:path';

/** Starts the projector on engines, in its thread, as the program runs it. What goes wrong in it is said. */
export async function startProjector(root, engines, say) {
  const dist = (...path) => import(join(root, 'dist', ...path, 'index.js'));
  const { createProjector, startProjectorThread } = await dist('services', 'projector');
  const { systemTimers } = await dist('libs', 'kernel');
  const projector = createProjector({
    thread: () => startProjectorThread(engines),
    models: engines.models,
    leases: engines.leases,
    timers: systemTimers,
    onProblem: (problem) => say(JSON.stringify(problem)),
    say,
  });
  await projector.start();
  return projector;
}
