import { Controller } from '@nestjs/common';
import { ApproveChange, Bus, ListChanges, RejectChange, type Session } from '#application';
import { changeStream } from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';

/** What takes a second admin whatever its size. */
@Controller()
export class ChangesController {
  constructor(private readonly bus: Bus) {}

  @Route('changes')
  list(
    @QueryOf('changes') query: QueryOf<'changes'>,
    @Caller() { userId }: Session,
  ): Promise<AnswerOf<'changes'>> {
    return this.bus.query(new ListChanges(query, userId));
  }

  @Route('approveChange')
  async approve(
    @ParamsOf('approveChange') { changeId }: ParamsOf<'approveChange'>,
    @BodyOf('approveChange') body: BodyOf<'approveChange'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'approveChange'>> {
    const context = request.contextFor(changeStream(changeId), body);
    const command = new ApproveChange(context, changeId);
    const { position, status } = await request.answered(this.bus.execute(command));
    const message =
      status === 'refused'
        ? 'Approved, but not made: something else was changed meanwhile.'
        : 'Transaction approved successfully!';
    return { position, status, message };
  }

  @Route('rejectChange')
  async reject(
    @ParamsOf('rejectChange') { changeId }: ParamsOf<'rejectChange'>,
    @BodyOf('rejectChange') body: BodyOf<'rejectChange'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'rejectChange'>> {
    const context = request.contextFor(changeStream(changeId), body);
    const { position } = await request.answered(this.bus.execute(new RejectChange(context, changeId)));
    return { position, status: 'rejected', message: 'Transaction rejected successfully!' };
  }
}
