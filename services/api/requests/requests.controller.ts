import { Controller, type StreamableFile } from '@nestjs/common';
import { Bus, ListRequests } from '#application';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { QueryOf, Route, type AnswerOf } from '../http/route.js';
import { requestColumns } from './columns.js';

/** Requests of all kinds together. */
@Controller()
export class RequestsController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('requests')
  all(
    @QueryOf('requests') query: QueryOf<'requests'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'requests'> | StreamableFile> {
    return this.lists.answer(list, query, requestColumns, (page) =>
      this.bus.query(new ListRequests({ ...query, ...page })),
    );
  }
}
