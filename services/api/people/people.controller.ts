import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { fileNotFound } from '#files';
import { FORGOTTEN, type Session } from '#identity';
import { isLodeError, LodeError } from '#kernel';
import { reconcileAccess } from '../access/standing.js';
import { TRAIL_OF_ACCESS, type Trail } from '../access/trail.js';
import { madeOrRefused } from '#application';
import { Commands } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { ownFileFor } from '#application';
import { TheCommand, type CommandRequest } from '../http/command-context.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { digestOf } from '../requests/digest.js';
import { settingsInForce } from '#application';
import { openAccount } from '../wallet/account-view.js';
import { listPeople, personColumns } from './list.js';

/** How often a change of a profile is made anew because somebody else's came first. */
const PROFILE_TRIES = 5;

type Body = object & { readonly reason?: string | undefined };

/** People: who they are, whether they may come in, and their bonus cycles. */
@Controller()
export class PeopleController {
  constructor(
    private readonly commands: Commands,
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(TRAIL_OF_ACCESS) private readonly trail: Trail,
    private readonly lists: Lists,
  ) {}

  @Route('people')
  people(
    @QueryOf('people') query: QueryOf<'people'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'people'> | StreamableFile> {
    return this.lists.answer(wanted, query, personColumns, (page) =>
      listPeople(this.engines.readStore, { ...query, ...page }),
    );
  }

  @Route('suspend')
  async suspend(
    @ParamsOf('suspend') { userId }: ParamsOf<'suspend'>,
    @BodyOf('suspend') body: BodyOf<'suspend'>,
    @Caller() caller: Session,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'suspend'>> {
    if (userId === caller.userId)
      throw new LodeError('not_permitted', "You can't block yourself. Please ask another admin.");
    const { position } = await this.commands.onAccount(request, userId, { type: 'Suspend' }, body);
    await this.reconcile(userId);
    return { position, status: 'suspended', message: 'User blocked successfully!' };
  }

  @Route('activate')
  async activate(
    @ParamsOf('activate') { userId }: ParamsOf<'activate'>,
    @BodyOf('activate') body: BodyOf<'activate'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'activate'>> {
    const { position } = await this.commands.onAccount(request, userId, { type: 'Activate' }, body);
    await this.reconcile(userId);
    return { position, status: 'active', message: 'User activated successfully!' };
  }

  @Route('stopBonus')
  async stopBonus(
    @ParamsOf('stopBonus') { userId }: ParamsOf<'stopBonus'>,
    @BodyOf('stopBonus') body: BodyOf<'stopBonus'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'stopBonus'>> {
    const { bonusPolicy: policy } = await settingsInForce(this.ledger);
    const { position } = await this.commands.onAccount(request, userId, { type: 'StopBonus', policy }, body);
    return { position, message: 'Mining stopped successfully' };
  }

  @Route('restartBonus')
  async restartBonus(
    @ParamsOf('restartBonus') { userId }: ParamsOf<'restartBonus'>,
    @BodyOf('restartBonus') body: BodyOf<'restartBonus'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'restartBonus'>> {
    const { bonusPolicy: policy } = await settingsInForce(this.ledger);
    const command = { type: 'RestartBonusCycle', policy } as const;
    const { position } = await this.commands.onAccount(request, userId, command, body);
    return { position, message: 'Mining restarted successfully' };
  }

  @Route('changeProfile')
  async changeProfile(
    @ParamsOf('changeProfile') { userId }: ParamsOf<'changeProfile'>,
    @BodyOf('changeProfile') body: BodyOf<'changeProfile'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'changeProfile'>> {
    const hashed = await this.digestOf(userId, body);
    for (let tries = 1; ; tries += 1) {
      try {
        const command = { type: 'ChangeProfile', ...(await this.profileWith(userId, body)) } as const;
        const { position } = await this.commands.onAccount(request, userId, command, hashed);
        return { position, message: 'User info updated successfully!' };
      } catch (error) {
        if (!isLodeError(error) || error.code !== 'conflict' || tries === PROFILE_TRIES) throw error;
      }
    }
  }

  @Route('changeProfileImage')
  async changeProfileImage(
    @ParamsOf('changeProfileImage') { userId }: ParamsOf<'changeProfileImage'>,
    @BodyOf('changeProfileImage') body: BodyOf<'changeProfileImage'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'changeProfileImage'>> {
    const command = await madeOrRefused(async () => {
      const { image: current } = await openAccount(this.ledger, userId);
      const isCurrent = current !== null && current.fileId === body.fileId;
      const image = isCurrent
        ? current
        : await ownFileFor(this.engines, body.fileId, userId, 'profile-image');
      if (image === undefined) throw fileNotFound();
      return { type: 'ChangeProfileImage', image } as const;
    });
    const { position } = await this.commands.onAccount(request, userId, command, body);
    return { position, message: 'Profile image updated successfully!' };
  }

  @Route('saveWalletAddress')
  async saveWalletAddress(
    @ParamsOf('saveWalletAddress') { userId }: ParamsOf<'saveWalletAddress'>,
    @BodyOf('saveWalletAddress') body: BodyOf<'saveWalletAddress'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'saveWalletAddress'>> {
    const address = await this.addressOf(userId, body.walletAddress);
    const hashed = await this.digestOf(userId, body);
    const command = { type: 'SaveWalletAddress', address } as const;
    const { position } = await this.commands.onAccount(request, userId, command, hashed);
    return { position, message: 'wallet address updated' };
  }

  private reconcile(userId: string): Promise<void> {
    return reconcileAccess(
      { identity: this.engines.identity, ledger: this.ledger, trail: this.trail },
      userId,
    );
  }

  /** Stands for a body with personal data; for nobody's once the person is erased, and then the account refuses it. */
  private async digestOf(userId: string, body: Body): Promise<{ digest: string }> {
    const hashed = await madeOrRefused(() => digestOf(this.engines.identity.personKeys, userId, body));
    return isLodeError(hashed) ? { digest: '' } : hashed;
  }

  /** The profile as it is to be and as it was, encrypted: the same text when nothing in it changes. */
  private async profileWith(userId: string, change: BodyOf<'changeProfile'>) {
    const { personKeys } = this.engines.identity;
    const { profile: was } = await openAccount(this.ledger, userId);
    const current = await personKeys.decryptFor(userId, was);
    if (current === FORGOTTEN) return { was, profile: was };
    const given = Object.entries(change).filter(([, text]) => text !== undefined && text !== '');
    if (given.every(([field, text]) => current[field] === text)) return { was, profile: was };
    return {
      was,
      profile: await personKeys.encryptFor(userId, { ...current, ...Object.fromEntries(given) }),
    };
  }

  /** The address, encrypted: the text that the account has when it is the one that is saved. */
  private async addressOf(userId: string, walletAddress: string): Promise<string> {
    const { personKeys } = this.engines.identity;
    const { address } = await openAccount(this.ledger, userId);
    const current = address === null ? FORGOTTEN : await personKeys.decryptFor(userId, address);
    if (address !== null && current !== FORGOTTEN && current['walletAddress'] === walletAddress)
      return address;
    return personKeys.encryptFor(userId, { walletAddress });
  }
}
