import { Controller, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  Bus,
  callerContext,
  EndSessions,
  FinishSignIn,
  GetPasswordPolicy,
  InviteAdmin,
  ListInvitations,
  RefreshSession,
  Register,
  RevokeInvitation,
  sessionContext,
  SignIn,
  SignOut,
  visitorContext,
  type PasswordDuty,
  type Session,
  type SignedIn,
  type Tokens,
} from '#application';
import { isLodeError } from '#kernel';
import { invitationStream } from '#ledger';
import { clientOf } from '../http/client.js';
import {
  CommandParam,
  RepeatableParam,
  type CommandRequest,
  type RepeatableRequest,
} from '../http/command-context.js';
import { PASSWORD_DUTY } from '../http/route.guard.js';
import {
  bearerOf,
  BodyOf,
  Caller,
  ParamsOf,
  QueryOf,
  Req,
  Res,
  Route,
  type AnswerOf,
} from '../http/route.js';
import { SETTINGS, type ApiSettings } from '../settings.js';
import { clearRefreshToken, refreshTokenOf, setRefreshToken } from './cookie.js';

/** Registration, signing in and out, and the rotation of a session's tokens. */
@Controller()
export class AccessController {
  constructor(
    private readonly bus: Bus,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    @Inject(PASSWORD_DUTY) private readonly mustChoose: PasswordDuty,
  ) {}

  @Route('register')
  async register(
    @BodyOf('register') body: BodyOf<'register'>,
    @Req() request: FastifyRequest,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'register'>> {
    const { password, invitation, firstname, lastname, email, phone, terms, privacy } = body;
    const profile = { firstname, lastname, email, phone };
    const context = visitorContext(clientOf(request));
    const command = new Register(context, { profile, password, invitation, shown: { terms, privacy } }, key);
    const { userId, role, position } = await answered(this.bus.execute(command));
    return { userId, role, position, message: 'Registration successful. Redirecting to login...' };
  }

  @Route('createAccount')
  async createAccount(
    @BodyOf('createAccount') body: BodyOf<'createAccount'>,
    @Caller() caller: Session,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'createAccount'>> {
    const { password, firstname, lastname, email, phone } = body;
    const profile = { firstname, lastname, email, phone };
    const command = new Register(sessionContext(caller), { profile, password }, key);
    const { userId, role, position } = await answered(this.bus.execute(command));
    return { userId, role, position, message: 'Registration successful' };
  }

  @Route('passwordPolicy')
  async passwordPolicy(): Promise<AnswerOf<'passwordPolicy'>> {
    const { minLength, maxLength, requires, refuses } = await this.bus.query(new GetPasswordPolicy());
    return { minLength, maxLength, requires: [...requires], refuses: [...refuses] };
  }

  @Route('signIn')
  async signIn(
    @BodyOf('signIn') body: BodyOf<'signIn'>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'signIn'>> {
    const signedIn = await this.bus.execute(new SignIn(visitorContext(clientOf(request)), body));
    if ('challenge' in signedIn) {
      const { challenge, expiresAt, passkey } = signedIn;
      return {
        challenge,
        expiresAt: new Date(expiresAt).toISOString(),
        ...(passkey && { passkey }),
        message:
          passkey === undefined ? 'Please enter your code' : 'Please use your passkey or enter your code',
      };
    }
    this.handOver(signedIn.tokens, reply);
    return this.sessionAnswer(signedIn, 'Login successful');
  }

  @Route('finishSignIn')
  async finishSignIn(
    @BodyOf('finishSignIn') body: BodyOf<'finishSignIn'>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'finishSignIn'>> {
    const signedIn = await this.bus.execute(new FinishSignIn(visitorContext(clientOf(request)), body));
    this.handOver(signedIn.tokens, reply);
    return this.sessionAnswer(signedIn, 'Login successful');
  }

  @Route('refresh')
  async refresh(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'refresh'>> {
    try {
      const context = visitorContext(clientOf(request));
      const command = new RefreshSession(context, refreshTokenOf(request, this.settings.secure), (tokens) =>
        this.handOver(tokens, reply),
      );
      return await this.sessionAnswer(await this.bus.execute(command), 'Session refreshed');
    } catch (error) {
      // Whoever is suspended keeps theirs, which only says so, on whatever page they come back to.
      if (isLodeError(error) && error.code.startsWith('token_'))
        clearRefreshToken(reply, this.settings.secure);
      throw error;
    }
  }

  @Route('signOut')
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'signOut'>> {
    const tokens = [refreshTokenOf(request, this.settings.secure), bearerOf(request)];
    await this.bus.execute(new SignOut(visitorContext(clientOf(request)), tokens));
    clearRefreshToken(reply, this.settings.secure);
    return { message: 'Signed out' };
  }

  @Route('signOutEverywhere')
  async signOutEverywhere(
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'signOutEverywhere'>> {
    const context = callerContext(caller, clientOf(request));
    await this.bus.execute(new EndSessions(context, caller.userId));
    clearRefreshToken(reply, this.settings.secure);
    return { message: 'Signed out everywhere' };
  }

  @Route('inviteAdmin')
  async inviteAdmin(
    @BodyOf('inviteAdmin') { duty = 'owner' }: BodyOf<'inviteAdmin'>,
    @Caller() caller: Session,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'inviteAdmin'>> {
    const command = new InviteAdmin(sessionContext(caller), duty, key);
    const { replayed: _, ...issued } = await answered(this.bus.execute(command));
    return { ...issued, message: 'Invitation issued' };
  }

  @Route('invitations')
  invitations(@QueryOf('invitations') query: QueryOf<'invitations'>): Promise<AnswerOf<'invitations'>> {
    return this.bus.query(new ListInvitations(query));
  }

  @Route('revokeInvitation')
  async revokeInvitation(
    @ParamsOf('revokeInvitation') { invitationId }: ParamsOf<'revokeInvitation'>,
    @BodyOf('revokeInvitation') body: BodyOf<'revokeInvitation'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'revokeInvitation'>> {
    const context = request.contextFor(invitationStream(invitationId), body);
    const { position } = await request.answered(
      this.bus.execute(new RevokeInvitation(context, invitationId)),
    );
    return { invitationId, position, message: 'Invitation revoked' };
  }

  /** Gives the browser the refresh token that it comes back with. */
  private handOver({ refreshToken, refreshExpiresAt }: Tokens, reply: FastifyReply): void {
    setRefreshToken(reply, refreshToken, refreshExpiresAt, this.settings.secure);
  }

  private async sessionAnswer(
    { tokens, firstname }: SignedIn,
    message: string,
  ): Promise<AnswerOf<'refresh'>> {
    const { userId, role } = tokens.session;
    return {
      accessToken: tokens.accessToken,
      expiresAt: new Date(tokens.accessExpiresAt).toISOString(),
      user: { userId, role, firstname },
      ...((await this.mustChoose(tokens.session)) && { mustChoosePassword: true }),
      message,
    };
  }
}
