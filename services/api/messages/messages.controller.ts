import { Controller, type StreamableFile } from '@nestjs/common';
import { Bus, ForgetMessage, ListMessages, MarkMessage, SendMessage } from '#application';
import { messageStream } from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { BodyOf, ParamsOf, QueryOf, Req, Route, type AnswerOf, type LodeRequest } from '../http/route.js';
import { messageColumns } from './columns.js';

/** Letters and digits of a message's id (specification, section 3). */
const MESSAGE_ID_LENGTH = 35;
/** What people write to the platform by its contact form, and what admins do with it. */
@Controller()
export class MessagesController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('sendMessage')
  async send(
    @BodyOf('sendMessage') body: BodyOf<'sendMessage'>,
    @Req() { caller }: LodeRequest,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'sendMessage'>> {
    const messageId = request.idOf(MESSAGE_ID_LENGTH);
    const context = request.personalContextFor(messageStream(messageId), body);
    const message = { messageId, userId: caller?.userId, sender: request.sender, words: body };
    const { position } = await request.answered(this.bus.execute(new SendMessage(context, message)));
    return { messageId, position, message: 'Message sent successfully!' };
  }

  @Route('messages')
  list(
    @QueryOf('messages') query: QueryOf<'messages'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'messages'> | StreamableFile> {
    return this.lists.answer(list, query, messageColumns, (page) =>
      this.bus.query(new ListMessages({ ...query, ...page })),
    );
  }

  @Route('readMessage')
  read(
    @ParamsOf('readMessage') { messageId }: ParamsOf<'readMessage'>,
    @BodyOf('readMessage') body: BodyOf<'readMessage'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'readMessage'>> {
    const context = request.contextFor(messageStream(messageId), body);
    return this.carryOut(request, new MarkMessage(context, messageId, true), 'Message marked as read.');
  }

  @Route('unreadMessage')
  unread(
    @ParamsOf('unreadMessage') { messageId }: ParamsOf<'unreadMessage'>,
    @BodyOf('unreadMessage') body: BodyOf<'unreadMessage'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'unreadMessage'>> {
    const context = request.contextFor(messageStream(messageId), body);
    return this.carryOut(request, new MarkMessage(context, messageId, false), 'Message marked as not read.');
  }

  @Route('forgetMessage')
  forget(
    @ParamsOf('forgetMessage') { messageId }: ParamsOf<'forgetMessage'>,
    @BodyOf('forgetMessage') body: BodyOf<'forgetMessage'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'forgetMessage'>> {
    const context = request.contextFor(messageStream(messageId), body);
    return this.carryOut(request, new ForgetMessage(context, messageId), 'Message forgotten.');
  }

  private async carryOut(
    request: CommandRequest,
    command: MarkMessage | ForgetMessage,
    message: string,
  ): Promise<AnswerOf<'readMessage'>> {
    const { position } = await request.answered(this.bus.execute(command));
    return { messageId: command.messageId, position, message };
  }
}
