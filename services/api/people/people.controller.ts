import { Controller, type StreamableFile } from '@nestjs/common';
import {
  ActivatePerson,
  Bus,
  callerContext,
  CancelWalletAddress,
  ChangeProfile,
  ChangeProfileImage,
  ListPeople,
  RestartBonusCycle,
  SaveWalletAddress,
  StopBonus,
  SuspendPerson,
  type Session,
} from '#application';
import { accountStream } from '#ledger';
import { clientOf } from '../http/client.js';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { noteShown } from '../http/notes.js';
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
    const command = new RestartBonusCycle(request.contextFor(accountStream(userId), body), userId);
    const { position } = await request.answered(this.bus.execute(command));
    return { position, message: 'Mining restarted successfully' };
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
