import type { ReactorList } from '#contracts';
import { callerText } from '#kernel';
import { sentBy } from '../command.js';
import { writeOrder, type OrderContext, type OrderParts } from '../operations/order.js';
import type { Processes } from '../ports.js';
import { Query } from '../message.js';

type Parts = { readonly processes: Pick<Processes, 'reactors' | 'reactorsElsewhere' | 'retryReactors'> };

/** How far each reactor is, and what it could not do. */
export class ListReactors extends Query<ReactorList> {}

export class ListReactorsHandler {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<ReactorList> {
    return reactorList(this.parts.processes);
  }
}

/** Has everything tried again at once that reactors could not do, and tells how they stand. */
export class RetryReactors extends sentBy('admin')<ReactorList> {
  constructor(override readonly context: OrderContext) {
    super();
  }
}

export class RetryReactorsHandler {
  constructor(private readonly parts: Parts & OrderParts) {}

  async execute({ context }: RetryReactors): Promise<ReactorList> {
    await writeOrder(this.parts, context, { operation: 'retry' });
    const { processes } = this.parts;
    await processes.retryReactors();
    return reactorList(processes);
  }
}

async function reactorList({ reactors, reactorsElsewhere }: Parts['processes']): Promise<ReactorList> {
  const here = reactors();
  const all = here.length > 0 ? here : await reactorsElsewhere();
  const items = all.map(({ failing, parked, ...health }) => ({
    ...health,
    parked: parked.map(({ position, stream, type, attempts, error, since }) => ({
      position,
      stream,
      type,
      attempts,
      error,
      since,
    })),
    failing: failing === undefined ? null : callerText(failing),
  }));
  return { items };
}
