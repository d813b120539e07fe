import { walletModels, type RunnerReport } from '#projections';
import type { Call, Outcome } from './command.js';
import { withExclusiveEngines, requireLog } from './folder.js';
import { refuseHalted, withProjections } from './fold.js';
import { UsageError } from './parse.js';

/** `lode rebuild`. What has diverged from the log is dropped at once, since it must not be read; the rest is read until the new one is there. */
export async function runRebuild(call: Call): Promise<Outcome> {
  const { settings, args, progress } = call;
  await requireLog(settings);
  const known = walletModels.map(({ name }) => name);
  const [name] = args;
  if (name !== undefined && !known.includes(name)) {
    throw new UsageError(`There is no read model ${name}; there are ${known.join(', ')}.`);
  }
  const asked = name === undefined ? known : [name];
  const left = new Set(asked);
  const hear = (report: RunnerReport) => {
    if (report.type === 'activated') left.delete(report.collection);
  };
  const models = await withExclusiveEngines(call, (engines) =>
    withProjections({ engines, progress, report: hear, anew: asked }, async ({ runner, waitUntil }) => {
      await waitUntil(() => {
        // What queries read may have stopped: that is a reason to build it anew.
        for (const build of runner.builds())
          if (!build.isActive && left.has(build.model)) refuseHalted(build);
        return left.size === 0;
      });
      return runner.health().models.filter((model) => asked.includes(model.name));
    }),
  );
  const rows = models.map(({ name: model, version, position, parked }) => ({
    model,
    version,
    position,
    parked,
  }));
  const parked = rows.filter((row) => row.parked > 0);
  return {
    ok: parked.length === 0,
    facts: { models: rows },
    lines: rows.map(
      ({ model, position, parked: waiting }) =>
        `${model} was built anew, up to position ${position}${waiting === 0 ? '.' : `; WRONG: ${waiting} events are parked.`}`,
    ),
  };
}
