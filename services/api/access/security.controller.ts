import { Controller, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Session, SessionView } from '#identity';
import { isLodeError, LodeError } from '#kernel';
import { ENGINES, type Engines } from '../engines.js';
import { clientOf } from '../http/client.js';
import { BodyOf, Caller, ParamsOf, Route, type AnswerOf } from '../http/route.js';
import { ENTRANCE, type Entrance } from './entrance.js';
import { byCaller, TRAIL_OF_ACCESS, type Trail } from './trail.js';

/** A person's password, transfer pin and sessions. */
@Controller()
export class SecurityController {
  constructor(
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(ENTRANCE) private readonly entrance: Entrance,
    @Inject(TRAIL_OF_ACCESS) private readonly trail: Trail,
  ) {}

  @Route('changePassword')
  async changePassword(
    @BodyOf('changePassword') body: BodyOf<'changePassword'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'changePassword'>> {
    const passwords = { old: body.oldPassword, new: body.newPassword };
    await this.entrance.changePassword(caller, passwords, clientOf(request)).catch(inWords);
    return { message: 'Password updated successfully!' };
  }

  @Route('transferPin')
  async transferPin(@Caller() { userId }: Session): Promise<AnswerOf<'transferPin'>> {
    return { state: await this.engines.identity.transferPins.stateOf(userId) };
  }

  @Route('setTransferPin')
  async setTransferPin(
    @BodyOf('setTransferPin') body: BodyOf<'setTransferPin'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'setTransferPin'>> {
    const client = clientOf(request);
    await this.entrance.confirm(caller, body.password, client);
    await this.engines.identity.transferPins.set(caller.userId, body.pin);
    await this.trail.note(caller.userId, { type: 'RecordTransferPinSet' }, byCaller(caller, client));
    return { message: 'Transfer pin updated successfully!' };
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
    const by = byCaller(caller, clientOf(request));
    return endedAnswer(await this.entrance.endSessions(caller.userId, by, caller.sessionId));
  }

  @Route('endOwnSession')
  async endOwnSession(
    @ParamsOf('endOwnSession') { sessionId }: ParamsOf<'endOwnSession'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'endOwnSession'>> {
    const by = byCaller(caller, clientOf(request));
    return endedAnswer(await this.entrance.endSession(caller.userId, sessionId, by));
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
    return endedAnswer(await this.entrance.endSessions(userId, byAdmin(caller)));
  }

  @Route('endSessionOf')
  async endSessionOf(
    @ParamsOf('endSessionOf') { userId, sessionId }: ParamsOf<'endSessionOf'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'endSessionOf'>> {
    return endedAnswer(await this.entrance.endSession(userId, sessionId, byAdmin(caller)));
  }

  private async list(userId: string, current: string): Promise<AnswerOf<'ownSessions'>> {
    const views = await this.engines.identity.sessions.list(userId);
    return { items: views.map((view) => itemOf(view, current)) };
  }
}

/** A wrong old password is told in the product's words. */
function inWords(error: unknown): never {
  if (isLodeError(error) && error.code === 'invalid_credentials')
    throw new LodeError('invalid_credentials', 'Failed to reset password.');
  throw error;
}

/** An admin, whose own address is not written into somebody else's stream: it would be sealed with that person's key. */
function byAdmin({ userId, role, sessionId }: Session) {
  return { actor: { kind: 'person', id: userId, role }, session: sessionId } as const;
}

function itemOf({ sessionId, createdAt, lastUsedAt, endsAt, address, agent }: SessionView, current: string) {
  return {
    sessionId,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
    address,
    agent,
    current: sessionId === current,
  };
}

function endedAnswer(ended: number) {
  return { message: ended === 1 ? 'Session ended' : 'Sessions ended', ended };
}
