import { Controller } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  Bus,
  callerContext,
  ChangePassword,
  EndSession,
  EndSessions,
  GetTransferPinState,
  ListSecurityEvents,
  ListSessions,
  ProveSession,
  sessionContext,
  SetTransferPin,
  type Session,
} from '#application';
import { isLodeError, LodeError } from '#kernel';
import { clientOf } from '../http/client.js';
import { RepeatableParam, type RepeatableRequest } from '../http/command-context.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Req, Route, type AnswerOf } from '../http/route.js';
import { sessionView } from './views.js';

/** A person's password, transfer pin and sessions. */
@Controller()
export class SecurityController {
  constructor(private readonly bus: Bus) {}

  @Route('changePassword')
  async changePassword(
    @BodyOf('changePassword') body: BodyOf<'changePassword'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'changePassword'>> {
    const { oldPassword, newPassword, ...more } = body;
    const passwords = { old: oldPassword, new: newPassword, ...more };
    const command = new ChangePassword(callerContext(caller, clientOf(request)), passwords, key);
    await answered(this.bus.execute(command).catch(inWords));
    return { message: 'Password updated successfully!' };
  }

  @Route('transferPin')
  async transferPin(@Caller() { userId }: Session): Promise<AnswerOf<'transferPin'>> {
    return { state: await this.bus.query(new GetTransferPinState(userId)) };
  }

  @Route('setTransferPin')
  async setTransferPin(
    @BodyOf('setTransferPin') body: BodyOf<'setTransferPin'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'setTransferPin'>> {
    const context = callerContext(caller, clientOf(request));
    const { pin, ...proof } = body;
    await answered(this.bus.execute(new SetTransferPin(context, pin, proof, key)));
    return { message: 'Transfer pin updated successfully!' };
  }

  @Route('stepUp')
  async stepUp(
    @BodyOf('stepUp') { proof }: BodyOf<'stepUp'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'stepUp'>> {
    const context = callerContext(caller, clientOf(request));
    const until = await this.bus.execute(new ProveSession(context, proof));
    return { provedUntil: new Date(until).toISOString(), message: 'Thank you' };
  }

  @Route('ownSecurityEvents')
  ownSecurityEvents(
    @Caller() { userId }: Session,
    @QueryOf('ownSecurityEvents') query: QueryOf<'ownSecurityEvents'>,
  ): Promise<AnswerOf<'ownSecurityEvents'>> {
    return this.bus.query(new ListSecurityEvents(userId, query));
  }

  @Route('ownSessions')
  ownSessions(@Caller() caller: Session): Promise<AnswerOf<'ownSessions'>> {
    return this.list(caller.userId, caller.sessionId);
  }

  @Route('endOtherSessions')
  async endOtherSessions(
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'endOtherSessions'>> {
    const context = callerContext(caller, clientOf(request));
    const command = new EndSessions(context, caller.userId, caller.sessionId);
    return endedAnswer(await this.bus.execute(command));
  }

  @Route('endOwnSession')
  async endOwnSession(
    @ParamsOf('endOwnSession') { sessionId }: ParamsOf<'endOwnSession'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'endOwnSession'>> {
    const context = callerContext(caller, clientOf(request));
    return endedAnswer(await this.bus.execute(new EndSession(context, caller.userId, sessionId)));
  }

  @Route('sessionsOf')
  sessionsOf(
    @ParamsOf('sessionsOf') { userId }: ParamsOf<'sessionsOf'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'sessionsOf'>> {
    return this.list(userId, caller.sessionId);
  }

  @Route('endSessionsOf')
  async endSessionsOf(
    @ParamsOf('endSessionsOf') { userId }: ParamsOf<'endSessionsOf'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'endSessionsOf'>> {
    return endedAnswer(await this.bus.execute(new EndSessions(sessionContext(caller), userId)));
  }

  @Route('endSessionOf')
  async endSessionOf(
    @ParamsOf('endSessionOf') { userId, sessionId }: ParamsOf<'endSessionOf'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'endSessionOf'>> {
    const command = new EndSession(sessionContext(caller), userId, sessionId);
    return endedAnswer(await this.bus.execute(command));
  }

  private async list(userId: string, current: string): Promise<AnswerOf<'ownSessions'>> {
    const views = await this.bus.query(new ListSessions(userId));
    return { items: views.map((view) => sessionView(view, current)) };
  }
}

/** A wrong old password is told in the product's words. */
function inWords(error: unknown): never {
  if (isLodeError(error) && error.code === 'invalid_credentials')
    throw new LodeError('invalid_credentials', 'Failed to reset password.');
  throw error;
}

function endedAnswer(ended: number) {
  return { message: ended === 1 ? 'Session ended' : 'Sessions ended', ended };
}
