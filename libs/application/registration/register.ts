import { contentInForce, type Profile } from '#contracts';
import type { EventStore } from '#event-store';
import { foldEmail, type Reserved } from '#identity';
import { hasCode, isLodeError, LodeError, logStart, parsePosition, uuidV4, type Position } from '#kernel';
import {
  accountStream,
  invitationStream,
  isOwner,
  type AcceptedTexts,
  type AccountCommand,
  type Duty,
} from '#ledger';
import type { AccessContext } from '../access/context.js';
import { sendVerification, type Verification } from '../access/verify-email.js';
import type { AdminRights } from '../admins/rights.js';
import { sentBy } from '../command.js';
import type { Mailing } from '../mail/mailing.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { SettingsInForce } from '../settings/in-force.js';
import type { RegistrationLimit } from './limit.js';
import { textNames, textsToAccept } from './texts.js';
import { contextOfStep, hasAccount, registrationId, type RegistrationDependencies } from './steps.js';

/** Dependencies of registrations by people. */
export type RegisterDependencies = RegistrationDependencies & {
  readonly admins: Pick<AdminRights, 'all'>;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly registrationLimit: RegistrationLimit;
  readonly mailing: Pick<Mailing, 'sendLink' | 'notSent'>;
  readonly verification: Verification;
  readonly settings: Pick<SettingsInForce, 'current'>;
};

/** By the names of `AcceptedTexts`. */
export type ShownTexts = { readonly [Name in keyof AcceptedTexts]: string | undefined };

/** Somebody who is to be registered, and with which right to be an admin. */
export type NewPerson = {
  readonly profile: Profile;
  readonly password: string;
  /**
   * Registers on a page that shows what is accepted by it: the SHA-256 (hex) of each text that it showed, empty where there
   * was none. Of a text that is left out the one in force was shown.
   */
  readonly shown?: ShownTexts;
  /** The token of an invitation; it makes an admin of whoever has it. */
  readonly invitation?: string | undefined;
};

/** Somebody who was registered. */
export type Registered = {
  readonly userId: string;
  readonly role: 'user' | 'admin';
  readonly position: Position;
  /** True when it is the answer that this request was given before. */
  readonly replayed: boolean;
};

/**
 * Registers a person: a visitor themselves, or an admin somebody else. Refuses with `email_exists`, `password_policy`,
 * `invitation_invalid`, `terms_changed`, `overloaded` and, from one network, `rate_limited`.
 */
export class Register extends sentBy('visitor', 'admin')<Registered> {
  constructor(
    override readonly context: AccessContext,
    readonly person: NewPerson,
    /** The key that a repeat of the request has, too. A visitor's is good for the e-mail that came with it. */
    readonly key?: string,
  ) {
    super();
  }
}

/**
 * The e-mail is reserved, the invitation (when there is one) is accepted and its duty noted, the account is opened in the log, an admin is
 * listed, the credential is activated. Every step may run twice: a crash between two steps leaves a reservation that the next attempt or the
 * sweep at start resolves, and an accepted invitation that whoever holds its link can finish with.
 */
export class RegisterHandler {
  constructor(private readonly dependencies: RegisterDependencies) {}

  async execute({ context, person, key }: Register): Promise<Registered> {
    const { hold, registrationLimit } = this.dependencies;
    refuseWhileHeld(hold);
    const work = async () => {
      if (key !== undefined) return this.once(context, person, key);
      await this.checkShown(person);
      return this.register(context, person);
    };
    const isVisitor = context.actor.role === 'visitor';
    const registered =
      isVisitor && context.client !== undefined
        ? await registrationLimit.within(context.client.address, work)
        : await work();
    await this.askToVerify(registered);
    return registered;
  }

  /** Sends a new customer a link. Where that fails they are registered all the same, and ask for another one. */
  private async askToVerify({ userId, role, replayed }: Registered): Promise<void> {
    const { mailing } = this.dependencies;
    if (replayed || !this.mustVerify(role)) return;
    try {
      await sendVerification(this.dependencies, userId, { askedBy: 'registration' });
    } catch (error) {
      mailing.notSent('verify-email', error);
    }
  }

  /** Refuses with `terms_changed` whoever was shown another text than the one in force. */
  private async checkShown({ shown }: NewPerson): Promise<void> {
    if (shown === undefined) return;
    const inForce = await this.textsInForce();
    if (textNames.every((name) => shown[name] === undefined || shown[name] === inForce[name])) return;
    throw new LodeError(
      'terms_changed',
      'What you accept by registering has changed since you opened this page. Please read it again.',
    );
  }

  /** What was shown of the texts that say something. */
  private async acceptedBy({ shown }: NewPerson): Promise<AcceptedTexts> {
    if (shown === undefined) return {};
    const inForce = await this.textsInForce();
    const texts = textNames.map((name) => [name, shown[name] ?? inForce[name]] as const);
    return Object.fromEntries(texts.filter(([, hash]) => hash !== ''));
  }

  private async textsInForce() {
    const { content } = await this.dependencies.settings.current();
    return textsToAccept(contentInForce(content));
  }

  private mustVerify(role: Registered['role']): boolean {
    return role === 'user' && this.dependencies.verification.mayNot.length > 0;
  }

  /** Registers the person as a request with this key asks, which is carried out once. */
  private async once(context: AccessContext, person: NewPerson, key: string): Promise<Registered> {
    const { credentials, requests } = this.dependencies.identity;
    const { profile, password, invitation = '' } = person;
    const { email } = profile;
    const sender = context.actor.role === 'visitor' ? `visitor ${foldEmail(email)}` : context.actor.id;
    const { answer, replayed } = await requests.once(
      {
        name: ['register', sender, key],
        content: { ...profile, invitation },
        secret: { text: password, share: 'register' },
        refuse: async () => {
          await this.checkShown(person);
          await credentials.checkRegistration({ email, password, names: namesIn(profile) });
        },
      },
      async ({ draw, isAgain }) => {
        const drawn = uuidV4(draw('person'));
        const opened = isAgain ? await this.opened(drawn) : undefined;
        // It is another id where the invitation was accepted by a request that was cut off before.
        const registered = opened ?? (await this.registerAs(context, person, drawn, isAgain));
        const { userId, role, position } = registered;
        return { answer: { userId, role, position }, about: userId };
      },
    );
    const role = answer('role') === 'admin' ? 'admin' : 'user';
    const position = parsePosition(answer('position')) ?? logStart;
    return { userId: answer('userId'), role, position, replayed };
  }

  /** The registration of a person that was cut off once the account was open. */
  private async opened(userId: string): Promise<Omit<Registered, 'replayed'> | undefined> {
    const { aggregates, admins, identity } = this.dependencies;
    const { state, position } = await aggregates.accounts.load(accountStream(userId));
    if (state.kind !== 'open') return undefined;
    if (state.role === 'admin') await admins.admit(userId);
    await identity.credentials.finish(userId);
    return { userId, role: state.role, position };
  }

  /** Registers a person under the id that a repeat of the request gives them, too. */
  private async registerAs(
    context: AccessContext,
    person: NewPerson,
    userId: string,
    isAgain: boolean,
  ): Promise<Registered> {
    try {
      return await this.register(context, person, userId);
    } catch (error) {
      const { credentials } = this.dependencies.identity;
      if (!isAgain || !hasCode(error, 'email_exists')) throw error;
      const known = await credentials.knownByEmail(person.profile.email);
      if (known?.userId !== userId) throw error;
      // By another program, or by this one before a crash: in a moment the e-mail can be taken over.
      throw new LodeError('conflict', 'The first request is still under way. Please try again in a moment.');
    }
  }

  private async register(context: AccessContext, person: NewPerson, userId?: string): Promise<Registered> {
    const { credentials, personKeys } = this.dependencies.identity;
    const { profile, password } = person;
    const invitation =
      person.invitation === undefined
        ? undefined
        : await usableInvitation(this.dependencies, person.invitation);
    const role = invitation === undefined ? 'user' : 'admin';
    const { email } = profile;
    const reserved = await credentials.reserve({
      email,
      password,
      names: namesIn(profile),
      role,
      // Whoever registers somebody else knows the password.
      isGiven: context.actor.role === 'admin',
      userId: invitation?.userId ?? userId,
    });
    if (invitation !== undefined) {
      await acceptInvitation(this.dependencies, invitation, reserved);
      // Whoever is an admin by an account that is open has the duty by then, also where this is cut off.
      await this.dependencies.admins.expect(reserved.userId, invitation.duty);
    }
    const encrypted = await personKeys.encryptFor(reserved.userId, { ...profile });
    const position = await openAccount(this.dependencies, context, {
      ...reserved,
      role,
      profile: encrypted,
      isUnverified: this.mustVerify(role),
      accepted: await this.acceptedBy(person),
    });
    if (role === 'admin') await this.dependencies.admins.admit(reserved.userId);
    if (invitation !== undefined) await keepOutIfRevoked(this.dependencies, invitation, reserved);
    await credentials.activate(reserved);
    return { userId: reserved.userId, role, position, replayed: false };
  }
}

function namesIn({ firstname, lastname }: Profile): readonly string[] {
  return [firstname, lastname];
}

/** An invitation, and who accepted it in a registration that was then cut off. */
type UsableInvitation = {
  readonly invitationId: string;
  readonly duty: Duty;
  readonly userId: string | undefined;
};

/** The invitation of a link. It is looked up before the e-mail is reserved, so that a used one leaves no reservation. */
async function usableInvitation(
  dependencies: RegisterDependencies,
  token: string,
): Promise<UsableInvitation> {
  const { identity, aggregates } = dependencies;
  const invitationId = await identity.invitations.invitationOf(token);
  const { state } = await aggregates.invitations.load(invitationStream(invitationId));
  if (await mayStillInvite(dependencies, invitationId)) {
    if (state.kind === 'issued') return { invitationId, duty: state.duty, userId: undefined };
    if (state.kind === 'accepted' && !(await hasAccount(aggregates, state.userId)))
      return { invitationId, duty: state.duty, userId: state.userId };
  }
  throw invitationInvalid();
}

function invitationInvalid(): LodeError {
  return new LodeError(
    'invitation_invalid',
    'This invitation was used or revoked, has expired or never existed.',
  );
}

/** Whether whoever issued it is an owner now: one who was kept out, or lost the duty, comes back by no link of before. */
async function mayStillInvite(
  { admins, eventStore }: Pick<RegisterDependencies, 'admins' | 'eventStore'>,
  invitationId: string,
): Promise<boolean> {
  const [issued] = await eventStore.readStream(invitationStream(invitationId), { limit: 1 });
  const actor = issued?.meta.actor;
  if (actor?.kind !== 'person') return true;
  const issuer = (await admins.all()).get(actor.id);
  return issuer !== undefined && isOwner(issuer);
}

/** Accepts an invitation for whoever has reserved an e-mail; a refusal gives the e-mail back. */
async function acceptInvitation(
  { identity, aggregates }: RegistrationDependencies,
  { invitationId }: UsableInvitation,
  reserved: Reserved,
): Promise<void> {
  const { userId, reservedAt } = reserved;
  const context = contextOfStep({
    actor: { kind: 'person', id: userId, role: 'admin' },
    name: `${userId}/${reservedAt}/accept`,
    content: reservationText(reserved, 'accept'),
    correlationId: registrationId(userId),
  });
  try {
    const command = { type: 'AcceptInvitation', userId } as const;
    await aggregates.invitations.execute(invitationStream(invitationId), command, context);
  } catch (error) {
    if (isLodeError(error) && error.code === 'invitation_invalid')
      await identity.credentials.release(reserved);
    throw error;
  }
}

/**
 * Keeps an admin out whose invitation was revoked between its acceptance and the account, and refuses with `invitation_invalid`.
 * Whoever revokes it after this finds the account.
 */
async function keepOutIfRevoked(
  { aggregates, admins }: RegistrationDependencies,
  { invitationId }: UsableInvitation,
  { userId }: Reserved,
): Promise<void> {
  const { state } = await aggregates.invitations.load(invitationStream(invitationId));
  if (state.kind !== 'revoked') return;
  const context = contextOfStep({
    actor: { kind: 'system', id: 'registration', role: 'system' },
    name: `${userId}/revoked`,
    content: userId,
    correlationId: registrationId(userId),
  });
  await admins.suspend(userId, context);
  throw invitationInvalid();
}

type OpenAccount = Required<Extract<AccountCommand, { readonly type: 'OpenAccount' }>>;

/** Opens the account of a reservation; `profile` is encrypted. Whoever registers themselves is their own actor. */
async function openAccount(
  { aggregates }: RegistrationDependencies,
  { actor, session }: AccessContext,
  person: Reserved & Pick<OpenAccount, 'role' | 'profile' | 'isUnverified' | 'accepted'>,
): Promise<Position> {
  const { userId, accountNumber, role, profile, isUnverified, accepted } = person;
  const context = contextOfStep({
    actor: actor.role === 'visitor' ? { kind: 'person', id: userId, role } : actor,
    session,
    name: `${userId}/open`,
    content: reservationText(person, 'open'),
    correlationId: registrationId(userId),
  });
  const command = {
    type: 'OpenAccount',
    userId,
    accountNumber,
    role,
    profile,
    isUnverified,
    accepted,
  } as const;
  try {
    return (await aggregates.accounts.execute(accountStream(userId), command, context)).position;
  } catch (error) {
    // Another registration of this e-mail, which had stalled so long that this one took it over, came first after all.
    if (isLodeError(error) && error.code === 'idempotency_key_reused')
      throw new LodeError('email_exists', 'User already exists');
    throw error;
  }
}

/**
 * What a step's hash is of: the reservation, which one request has made with one content. Of two that reserve the same
 * person's e-mail one after the other, only one opens the account. The content itself is personal and is not hashed.
 */
function reservationText({ userId, reservedAt }: Reserved, step: 'accept' | 'open'): string {
  return `${userId}/${reservedAt}/${step}`;
}
