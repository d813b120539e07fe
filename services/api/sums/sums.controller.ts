import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { Bus, GetDailySums, GetRequestsByAge } from '#application';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { QueryOf, Route, type AnswerOf } from '../http/route.js';
import { commandsIn } from '../operations/metrics.js';
import { METRICS } from '../operations/health.controller.js';
import { dailySumColumns } from './columns.js';

/** What charts are drawn of. */
@Controller()
export class SumsController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
    @Inject(METRICS) private readonly metrics: Registry,
  ) {}

  @Route('dailySums')
  daily(
    @QueryOf('dailySums') { format, ...asked }: QueryOf<'dailySums'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'dailySums'> | StreamableFile> {
    return this.lists.whole(list, format, dailySumColumns, () => this.bus.query(new GetDailySums(asked)));
  }

  @Route('requestsByAge')
  byAge(): Promise<AnswerOf<'requestsByAge'>> {
    return this.bus.query(new GetRequestsByAge());
  }

  @Route('load')
  async load(): Promise<AnswerOf<'load'>> {
    return { commands: await commandsIn(this.metrics) };
  }
}
