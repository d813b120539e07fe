import { CommandHandler, Query, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReactorList } from '#contracts';
import { callerText, type Actor } from '#kernel';
import { sentBy } from '../command.js';
import type { Processes } from '../ports.js';

type Parts = { readonly processes: Pick<Processes, 'reactors' | 'retryReactors'> };

/** How far each reactor is, and what it could not do. */
export class ListReactors extends Query<ReactorList> {}

@QueryHandler(ListReactors)
export class ListReactorsHandler implements IQueryHandler<ListReactors> {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<ReactorList> {
    return reactorList(this.parts.processes);
  }
}

/** Has everything tried again at once that reactors could not do, and tells how they stand. */
export class RetryReactors extends sentBy('admin')<ReactorList> {
  constructor(override readonly context: { readonly actor: Actor }) {
    super();
  }
}

@CommandHandler(RetryReactors)
export class RetryReactorsHandler implements ICommandHandler<RetryReactors> {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<ReactorList> {
    const { processes } = this.parts;
    processes.retryReactors();
    return reactorList(processes);
  }
}

function reactorList(processes: Pick<Processes, 'reactors'>): ReactorList {
  const items = processes.reactors().map(({ failing, parked, ...health }) => ({
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
