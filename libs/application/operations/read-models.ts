import type { ReadModelList } from '#contracts';
import type { Position } from '#kernel';
import type { Operation } from '#ledger';
import { walletModels, type RebuildProgress, type Replayed } from '#projections';
import { sentBy } from '../command.js';
import type { Ports } from '../ports.js';
import { writeOrder, type OrderContext, type OrderParts } from './order.js';
import { standing, type StandingParts } from './standing.js';
import { Query } from '../message.js';

/** How the read models stand against the log. */
export class ListReadModels extends Query<ReadModelList> {}

export class ListReadModelsHandler {
  constructor(private readonly parts: StandingParts) {}

  async execute(): Promise<ReadModelList> {
    const { head, headSecondsBehind, models } = await standing(this.parts);
    return {
      head,
      headSecondsBehind,
      models: models.map(({ damaged: _, ordinal: __, movedAt, rebuild, ...shown }) => ({
        ...shown,
        advancedAt: movedAt === undefined ? null : new Date(movedAt).toISOString(),
        rebuild: rebuild === undefined ? null : progressView(rebuild),
      })),
    };
  }
}

function progressView({ events, of, secondsLeft, isHalted }: RebuildProgress) {
  return { events, of, secondsLeft: secondsLeft ?? null, halted: isHalted };
}

/** Waits until queries see everything up to a position, or all of one person: true once they do, false after `timeoutMs`. */
export class WaitForPosition extends Query<boolean> {
  constructor(
    readonly position: Position,
    readonly timeoutMs: number,
    readonly userId?: string,
  ) {
    super();
  }
}

export class WaitForPositionHandler {
  constructor(private readonly parts: Pick<Ports, 'projections'>) {}

  execute({ position, timeoutMs, userId }: WaitForPosition): Promise<boolean> {
    return this.parts.projections.waitFor(position, timeoutMs, userId);
  }
}

type OrderedParts = OrderParts & Pick<Ports, 'projections'>;

/** Begins to build a read model anew beside the one that is read. Refuses with `validation_failed` when there is none such. */
export class RebuildReadModel extends sentBy('admin')<void> {
  constructor(
    override readonly context: OrderContext,
    readonly model: string,
  ) {
    super();
  }
}

export class RebuildReadModelHandler {
  constructor(private readonly parts: OrderedParts) {}

  async execute({ context, model }: RebuildReadModel): Promise<void> {
    await writeOrderOf(this.parts, context, { operation: 'rebuild', about: model });
    return this.parts.projections.rebuild(model);
  }
}

/** Stops building a read model anew: true when that was under way. Refuses as `RebuildReadModel`. */
export class CancelRebuild extends sentBy('admin')<boolean> {
  constructor(
    override readonly context: OrderContext,
    readonly model: string,
  ) {
    super();
  }
}

export class CancelRebuildHandler {
  constructor(private readonly parts: OrderedParts) {}

  async execute({ context, model }: CancelRebuild): Promise<boolean> {
    await writeOrderOf(this.parts, context, { operation: 'cancel rebuild', about: model });
    return this.parts.projections.cancelRebuild(model);
  }
}

/** Folds parked events of a read model again: those of a stream, or all. Refuses as `RebuildReadModel`. */
export class ReplayParkedEvents extends sentBy('admin')<Replayed> {
  constructor(
    override readonly context: OrderContext,
    readonly model: string,
    readonly stream: string | undefined,
  ) {
    super();
  }
}

export class ReplayParkedEventsHandler {
  constructor(private readonly parts: OrderedParts) {}

  async execute({ context, model, stream }: ReplayParkedEvents): Promise<Replayed> {
    const order = { operation: 'replay', about: model, ...(stream === undefined ? {} : { stream }) } as const;
    await writeOrderOf(this.parts, context, order);
    return this.parts.projections.replay(model, stream);
  }
}

/** Writes down what is ordered of a read model. One that there is not leaves no trace: that is refused, and nothing done. */
async function writeOrderOf(
  parts: OrderedParts,
  context: OrderContext,
  order: Operation & { readonly about: string },
): Promise<void> {
  if (walletModels.some(({ name }) => name === order.about)) await writeOrder(parts, context, order);
}
