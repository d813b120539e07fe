import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session, Tokens } from '#identity';
import { isLodeError } from '#kernel';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { clientOf } from '../http/client.js';
import { bearerOf, BodyOf, Caller, Route, type AnswerOf } from '../http/route.js';
import { SETTINGS, type ApiSettings } from '../settings.js';
import { clearRefreshToken, refreshTokenOf, setRefreshToken } from './cookie.js';
import { ENTRANCE, type Entered, type Entrance } from './entrance.js';
import { issueInvitation, register } from './registration.js';
import { byCaller } from './trail.js';

/** Registration, signing in and out, and the rotation of a session's tokens. */
@Controller()
export class AccessController {
  constructor(
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(ENTRANCE) private readonly entrance: Entrance,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('register')
  async register(@BodyOf('register') body: BodyOf<'register'>): Promise<AnswerOf<'register'>> {
    const { password, invitation, firstname, lastname, email, phone } = body;
    const profile = { firstname, lastname, email, phone };
    const registered = await register(this.parts, { profile, password, invitation });
    return { ...registered, message: 'Registration successful. Redirecting to login...' };
  }

  @Route('createAccount')
  async createAccount(
    @BodyOf('createAccount') body: BodyOf<'createAccount'>,
    @Caller() { userId, role, sessionId }: Session,
  ): Promise<AnswerOf<'createAccount'>> {
    const { password, firstname, lastname, email, phone } = body;
    const profile = { firstname, lastname, email, phone };
    const by = { actor: { kind: 'person', id: userId, role }, session: sessionId } as const;
    const registered = await register(this.parts, { profile, password }, by);
    return { ...registered, message: 'Registration successful' };
  }

  @Route('passwordPolicy')
  passwordPolicy(): AnswerOf<'passwordPolicy'> {
    const { minLength, maxLength, requires } = this.engines.identity.passwordPolicy;
    return { minLength, maxLength, requires: [...requires] };
  }

  @Route('signIn')
  async signIn(
    @BodyOf('signIn') body: BodyOf<'signIn'>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'signIn'>> {
    const entered = await this.entrance.signIn(body, clientOf(request));
    this.handOver(entered.tokens, reply);
    return sessionAnswer(entered, 'Login successful');
  }

  @Route('refresh')
  async refresh(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'refresh'>> {
    try {
      const token = refreshTokenOf(request);
      const entered = await this.entrance.refresh(token, clientOf(request), (tokens) =>
        this.handOver(tokens, reply),
      );
      return sessionAnswer(entered, 'Session refreshed');
    } catch (error) {
      const isOver =
        isLodeError(error) && (error.code.startsWith('token_') || error.code === 'account_suspended');
      if (isOver) clearRefreshToken(reply, this.settings.secure);
      throw error;
    }
  }

  @Route('signOut')
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'signOut'>> {
    await this.entrance.signOut([refreshTokenOf(request), bearerOf(request)], clientOf(request));
    clearRefreshToken(reply, this.settings.secure);
    return { message: 'Signed out' };
  }

  @Route('signOutEverywhere')
  async signOutEverywhere(
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'signOutEverywhere'>> {
    await this.entrance.endSessions(caller.userId, byCaller(caller, clientOf(request)));
    clearRefreshToken(reply, this.settings.secure);
    return { message: 'Signed out everywhere' };
  }

  @Route('inviteAdmin')
  inviteAdmin(@Caller() caller: Session): Promise<AnswerOf<'inviteAdmin'>> {
    const actor = { kind: 'person', id: caller.userId, role: caller.role } as const;
    const parts = { ...this.engines, ledger: this.ledger };
    return issueInvitation(parts, actor, caller.sessionId).then((issued) => ({
      ...issued,
      message: 'Invitation issued',
    }));
  }

  private get parts() {
    return { identity: this.engines.identity, ledger: this.ledger };
  }

  /** Gives the browser the refresh token that it comes back with. */
  private handOver({ refreshToken, refreshExpiresAt }: Tokens, reply: FastifyReply): void {
    setRefreshToken(reply, refreshToken, refreshExpiresAt, this.settings.secure);
  }
}

function sessionAnswer({ tokens, firstname }: Entered, message: string): AnswerOf<'signIn'> {
  const { userId, role } = tokens.session;
  return {
    accessToken: tokens.accessToken,
    expiresAt: new Date(tokens.accessExpiresAt).toISOString(),
    user: { userId, role, firstname },
    message,
  };
}
