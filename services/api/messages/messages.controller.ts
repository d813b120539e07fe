import { Controller, Inject, Req, type StreamableFile } from '@nestjs/common';
import { createBuckets, FORGOTTEN } from '#identity';
import { canonicalJson, LodeError } from '#kernel';
import { messageStream, type MessageCommand } from '#ledger';
import { Commands } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { TheCommand, type CommandRequest } from '../http/command-context.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { BodyOf, ParamsOf, QueryOf, Route, type AnswerOf, type LodeRequest } from '../http/route.js';
import { openAccount } from '../wallet/account-view.js';
import { listMessages, messageColumns } from './list.js';
import { sealWords, wordsOfCustomer, wordsOfVisitor, type Words } from './words.js';

/** Letters and digits of a message's id (specification, section 3). */
const MESSAGE_ID_LENGTH = 35;
/** Messages that one sender may send at once, and how long until there may be one more, in milliseconds. */
const ALLOWANCE = { burst: 10, everyMs: 5 * 60_000 };
/** Senders that are remembered; the one that wrote longest ago is forgotten first. */
const SENDERS_MAX = 100_000;

/** What people write to the platform by its contact form, and what admins do with it. */
@Controller()
export class MessagesController {
  private readonly allowances;

  constructor(
    private readonly commands: Commands,
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly lists: Lists,
  ) {
    this.allowances = createBuckets(() => engines.clock(), ALLOWANCE, SENDERS_MAX);
  }

  @Route('sendMessage')
  async send(
    @BodyOf('sendMessage') body: BodyOf<'sendMessage'>,
    @Req() { caller }: LodeRequest,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'sendMessage'>> {
    const { personKeys } = this.engines.identity;
    const userId = caller?.userId;
    const words = userId === undefined ? wordsOfVisitor(body) : await this.wordsOf(userId, body);
    const messageId = request.idOf(MESSAGE_ID_LENGTH);
    const stream = messageStream(messageId);
    await this.admit(request.sender, stream);
    await personKeys.createKey(messageId);
    const sealed = await sealWords(personKeys, messageId, userId, words);
    // The event keeps a hash of the request: one that tells nothing of these words once their key is destroyed.
    const hashed = { digest: await personKeys.digestFor(messageId, canonicalJson(body)) };
    const command = { type: 'SendMessage', messageId, userId, sealed } as const;
    const { position } = await this.commands.carryOut(request, 'messages', stream, command, hashed);
    return { messageId, position, message: 'Message sent successfully!' };
  }

  @Route('messages')
  list(
    @QueryOf('messages') query: QueryOf<'messages'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'messages'> | StreamableFile> {
    return this.lists.answer(wanted, query, messageColumns, (page) =>
      listMessages(this.engines, { ...query, ...page }),
    );
  }

  @Route('readMessage')
  read(
    @ParamsOf('readMessage') { messageId }: ParamsOf<'readMessage'>,
    @BodyOf('readMessage') body: BodyOf<'readMessage'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'readMessage'>> {
    return this.carryOut(request, messageId, { type: 'ReadMessage' }, body, 'Message marked as read.');
  }

  @Route('unreadMessage')
  unread(
    @ParamsOf('unreadMessage') { messageId }: ParamsOf<'unreadMessage'>,
    @BodyOf('unreadMessage') body: BodyOf<'unreadMessage'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'unreadMessage'>> {
    return this.carryOut(request, messageId, { type: 'UnreadMessage' }, body, 'Message marked as not read.');
  }

  @Route('forgetMessage')
  async forget(
    @ParamsOf('forgetMessage') { messageId }: ParamsOf<'forgetMessage'>,
    @BodyOf('forgetMessage') body: BodyOf<'forgetMessage'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'forgetMessage'>> {
    const command = { type: 'ForgetMessage' } as const;
    const answer = await this.carryOut(request, messageId, command, body, 'Message forgotten.');
    // Only its answer says that the words are gone: when this fails, the same request again makes good for it.
    await this.engines.identity.personKeys.destroyKey(messageId);
    return answer;
  }

  private async carryOut(
    request: CommandRequest,
    messageId: string,
    command: MessageCommand,
    body: object & { readonly reason?: string | undefined },
    message: string,
  ): Promise<AnswerOf<'readMessage'>> {
    const stream = messageStream(messageId);
    const { position } = await this.commands.carryOut(request, 'messages', stream, command, body);
    return { messageId, position, message };
  }

  /** Lets a new message through while its sender has not written too many; one that is sent again costs nothing. */
  private async admit(sender: string, stream: string): Promise<void> {
    const { state } = await this.ledger.messages.load(stream);
    if (state.kind === 'sent') return;
    if (state.kind === 'forgotten') throw new LodeError('message_not_found', 'This message is forgotten.');
    const waitMs = this.allowances.waitMs(sender);
    if (waitMs > 0) {
      const details = { retryAfterSeconds: Math.ceil(waitMs / 1_000) };
      throw new LodeError('rate_limited', 'Too many messages. Wait a little and try again.', details);
    }
    this.allowances.add(sender, -1);
  }

  /** A customer's words under the name in the log: the read model may not have the account yet. */
  private async wordsOf(userId: string, body: BodyOf<'sendMessage'>): Promise<Words> {
    const { profile } = await openAccount(this.ledger, userId);
    const person = await this.engines.identity.personKeys.decryptFor(userId, profile);
    if (person === FORGOTTEN) throw new LodeError('account_not_found', 'User not found');
    return wordsOfCustomer(body, person);
  }
}
