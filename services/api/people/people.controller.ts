import { Controller, type StreamableFile } from '@nestjs/common';
import {
  ActivatePerson,
  AddNote,
  AskForChange,
  Bus,
  callerContext,
  CancelWalletAddress,
  ChangeProfile,
  ChangeProfileImage,
  ListNotes,
  ListPeople,
  SaveWalletAddress,
  StopBonus,
  EraseAccount,
  ListAdmins,
  SuspendPerson,
  type Session,
} from '#application';
import { accountStream, notesStream } from '#ledger';
import { clientOf } from '../http/client.js';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { noteShown } from '../http/notes.js';
import { secondOf } from '../http/second.js';
import {
  BodyOf,
  Caller,
  ParamsOf,
  QueryOf,
  Req,
  Route,
  type AnswerOf,
  type LodeRequest,
} from '../http/route.js';
import { personColumns } from './columns.js';

/** Letters and digits of a note's id. */
const NOTE_ID_LENGTH = 35;

/** People: who they are, whether they may come in, and their bonus cycles. */
@Controller()
export class PeopleController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('people')
  people(
    @QueryOf('people') query: QueryOf<'people'>,
    @ListParam() list: ListRequest,
    @Req() request: LodeRequest,
  ): Promise<AnswerOf<'people'> | StreamableFile> {
    return this.lists.answer(list, query, personColumns, async (page) => {
      const found = await this.bus.query(new ListPeople({ ...query, ...page }));
      const [one, ...others] = found.items;
      // A search that finds one person was for that person.
      if (query.search !== undefined && one !== undefined && others.length === 0)
        await noteShown(this.bus, request, [one.userId]);
      return found;
    });
  }

  @Route('admins')
  admins(): Promise<AnswerOf<'admins'>> {
    return this.bus.query(new ListAdmins());
  }

  @Route('changeDuty')
  async changeDuty(
    @ParamsOf('changeDuty') { userId }: ParamsOf<'changeDuty'>,
    @BodyOf('changeDuty') body: BodyOf<'changeDuty'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'changeDuty'>> {
    const { duty } = body;
    const context = request.contextFor(accountStream(userId), body);
    const command = new AskForChange(context, { part: 'duty', values: { userId, duty } });
    const done = await request.answered(this.bus.execute(command));
    return { ...secondOf(done, `This admin’s duty is ${duty} from now on.`), userId, duty };
  }

  @Route('eraseAccount')
  async eraseAccount(
    @ParamsOf('eraseAccount') { userId }: ParamsOf<'eraseAccount'>,
    @BodyOf('eraseAccount') { reason }: BodyOf<'eraseAccount'>,
    @Caller() caller: Session,
    @Req() http: LodeRequest,
  ): Promise<AnswerOf<'eraseAccount'>> {
    const context = callerContext(caller, clientOf(http));
    const { isErased } = await this.bus.execute(new EraseAccount(context, userId, reason));
    return {
      message: isErased
        ? 'The account is erased.'
        : 'The account is closed. What is left of the person’s data is erased in the next minutes.',
    };
  }

  @Route('suspend')
  async suspend(
    @ParamsOf('suspend') { userId }: ParamsOf<'suspend'>,
    @BodyOf('suspend') body: BodyOf<'suspend'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'suspend'>> {
    const command = new SuspendPerson(request.contextFor(accountStream(userId), body), userId);
    const { position } = await request.answered(this.bus.execute(command));
    return { position, status: 'suspended', message: 'User blocked successfully!' };
  }

  @Route('activate')
  async activate(
    @ParamsOf('activate') { userId }: ParamsOf<'activate'>,
    @BodyOf('activate') body: BodyOf<'activate'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'activate'>> {
    const command = new ActivatePerson(request.contextFor(accountStream(userId), body), userId);
    const { position } = await request.answered(this.bus.execute(command));
    return { position, status: 'active', message: 'User activated successfully!' };
  }

  @Route('stopBonus')
  async stopBonus(
    @ParamsOf('stopBonus') { userId }: ParamsOf<'stopBonus'>,
    @BodyOf('stopBonus') body: BodyOf<'stopBonus'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'stopBonus'>> {
    const command = new StopBonus(request.contextFor(accountStream(userId), body), userId);
    const { position } = await request.answered(this.bus.execute(command));
    return { position, message: 'Mining stopped successfully' };
  }

  @Route('restartBonus')
  async restartBonus(
    @ParamsOf('restartBonus') { userId }: ParamsOf<'restartBonus'>,
    @BodyOf('restartBonus') body: BodyOf<'restartBonus'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'restartBonus'>> {
    const context = request.contextFor(accountStream(userId), body);
    const command = new AskForChange(context, { part: 'bonus', values: { userId } });
    return secondOf(await request.answered(this.bus.execute(command)), 'Mining restarted successfully');
  }

  @Route('notes')
  notes(
    @ParamsOf('notes') { userId }: ParamsOf<'notes'>,
    @QueryOf('notes') query: QueryOf<'notes'>,
  ): Promise<AnswerOf<'notes'>> {
    return this.bus.query(new ListNotes(userId, query));
  }

  @Route('addNote')
  async addNote(
    @ParamsOf('addNote') { userId }: ParamsOf<'addNote'>,
    @BodyOf('addNote') body: BodyOf<'addNote'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'addNote'>> {
    const noteId = request.idOf(NOTE_ID_LENGTH);
    const context = request.personalContextFor(notesStream(userId), body);
    const command = new AddNote(context, userId, noteId, body.text);
    const { position } = await request.answered(this.bus.execute(command));
    return { noteId, position, message: 'Note added' };
  }

  @Route('changeProfile')
  async changeProfile(
    @ParamsOf('changeProfile') { userId }: ParamsOf<'changeProfile'>,
    @BodyOf('changeProfile') body: BodyOf<'changeProfile'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'changeProfile'>> {
    const context = request.personalContextFor(accountStream(userId), body);
    const { position } = await request.answered(this.bus.execute(new ChangeProfile(context, userId, body)));
    return { position, message: 'User info updated successfully!' };
  }

  @Route('changeProfileImage')
  async changeProfileImage(
    @ParamsOf('changeProfileImage') { userId }: ParamsOf<'changeProfileImage'>,
    @BodyOf('changeProfileImage') body: BodyOf<'changeProfileImage'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'changeProfileImage'>> {
    const context = request.contextFor(accountStream(userId), body);
    const command = new ChangeProfileImage(context, userId, body.fileId);
    const { position } = await request.answered(this.bus.execute(command));
    return { position, message: 'Profile image updated successfully!' };
  }

  @Route('changePreferences')
  async changePreferences(
    @ParamsOf('changePreferences') { userId }: ParamsOf<'changePreferences'>,
    @BodyOf('changePreferences') body: BodyOf<'changePreferences'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'changePreferences'>> {
    const context = request.personalContextFor(accountStream(userId), body);
    const { position } = await request.answered(this.bus.execute(new ChangeProfile(context, userId, body)));
    return { position, message: 'Display preferences saved.' };
  }

  @Route('saveWalletAddress')
  async saveWalletAddress(
    @ParamsOf('saveWalletAddress') { userId }: ParamsOf<'saveWalletAddress'>,
    @BodyOf('saveWalletAddress') { proof, ...body }: BodyOf<'saveWalletAddress'>,
    @Caller() caller: Session,
    @CommandParam() request: CommandRequest,
    @Req() http: LodeRequest,
  ): Promise<AnswerOf<'saveWalletAddress'>> {
    const context = request.personalContextFor(accountStream(userId), body);
    const from = callerContext(caller, clientOf(http));
    const command = new SaveWalletAddress(context, from, proof, body.walletAddress, body.currency);
    const { position } = await request.answered(this.bus.execute(command));
    return { position, message: 'wallet address updated' };
  }

  @Route('cancelWalletAddress')
  async cancelWalletAddress(
    @ParamsOf('cancelWalletAddress') { userId }: ParamsOf<'cancelWalletAddress'>,
    @BodyOf('cancelWalletAddress') body: BodyOf<'cancelWalletAddress'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'cancelWalletAddress'>> {
    const context = request.contextFor(accountStream(userId), body);
    const command = new CancelWalletAddress(context, userId, body.currency);
    const { position } = await request.answered(this.bus.execute(command));
    return { position, message: 'The wallet address stays as it is.' };
  }
}
