import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { foldEmail, FORGOTTEN, type Client, type Session, type Tokens } from '#identity';
import { isLodeError, LodeError } from '#kernel';
import { accountStream } from '#ledger';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { BodyOf, Caller, Route, type AnswerOf } from '../http/route.js';
import { SETTINGS, type ApiSettings } from '../settings.js';
import { clearRefreshToken, refreshTokenOf, setRefreshToken } from './cookie.js';
import { issueInvitation, register } from './registration.js';

/** Registration, signing in and out, and the rotation of a session's tokens. */
@Controller()
export class AccessController {
  constructor(
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('register')
  async register(@BodyOf('register') body: BodyOf<'register'>): Promise<AnswerOf<'register'>> {
    const { password, invitation, firstname, lastname, email, phone } = body;
    const profile = { firstname, lastname, email, phone };
    const { identity } = this.engines;
    const registered = await register({ identity, ledger: this.ledger }, { profile, password, invitation });
    return { ...registered, message: 'Registration successful. Redirecting to login...' };
  }

  @Route('signIn')
  async signIn(
    @BodyOf('signIn') body: BodyOf<'signIn'>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'signIn'>> {
    const { attempts, credentials, sessions } = this.engines.identity;
    const client = clientOf(request);
    const attempt = { account: foldEmail(body.email), address: client.address };
    attempts.begin(attempt);
    const person = await credentials.verifyPassword(body.email, body.password);
    attempts.succeeded(attempt);
    const firstname = await this.firstnameOf(person.userId);
    const tokens = await sessions.start(person, client);
    this.handOver(tokens, reply);
    return sessionAnswer(tokens, firstname, 'Login successful');
  }

  @Route('refresh')
  async refresh(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'refresh'>> {
    const { sessions } = this.engines.identity;
    try {
      const tokens = await sessions.refresh(refreshTokenOf(request), clientOf(request));
      // Before anything that can fail: the browser's old token is used up.
      this.handOver(tokens, reply);
      return sessionAnswer(tokens, await this.firstnameOf(tokens.session.userId), 'Session refreshed');
    } catch (error) {
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
    await this.engines.identity.sessions.endSessionOf(refreshTokenOf(request));
    clearRefreshToken(reply, this.settings.secure);
    return { message: 'Signed out' };
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

  /** Gives the browser the refresh token that it comes back with. */
  private handOver({ refreshToken, refreshExpiresAt }: Tokens, reply: FastifyReply): void {
    setRefreshToken(reply, refreshToken, refreshExpiresAt, this.settings.secure);
  }

  /**
   * The first name, from the person's own stream: the read model may not have it yet right after registration. A
   * credential without an account is refused in the product's words.
   */
  private async firstnameOf(userId: string): Promise<string> {
    const [opened] = await this.engines.eventStore.readStream(accountStream(userId), { limit: 1 });
    const profile = opened?.data['profile'];
    if (typeof profile !== 'string') {
      throw new LodeError('account_not_found', 'User data not found. Please contact admin.');
    }
    const person = await this.engines.identity.personKeys.decryptFor(userId, profile);
    if (person === FORGOTTEN) return person;
    const { firstname } = person;
    return typeof firstname === 'string' ? firstname : '';
  }
}

function sessionAnswer(tokens: Tokens, firstname: string, message: string): AnswerOf<'signIn'> {
  const { userId, role } = tokens.session;
  return {
    accessToken: tokens.accessToken,
    expiresAt: new Date(tokens.accessExpiresAt).toISOString(),
    user: { userId, role, firstname },
    message,
  };
}

function clientOf(request: FastifyRequest): Client {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '' };
}
