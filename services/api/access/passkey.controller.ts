import { Controller } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  AddPasskey,
  AskPasskey,
  BeginPasskey,
  Bus,
  callerContext,
  RemovePasskey,
  type Session,
} from '#application';
import { clientOf } from '../http/client.js';
import { BodyOf, Caller, ParamsOf, Req, Route, type AnswerOf } from '../http/route.js';

/** A person's passkeys. */
@Controller()
export class PasskeyController {
  constructor(private readonly bus: Bus) {}

  @Route('beginPasskey')
  beginPasskey(
    @BodyOf('beginPasskey') proof: BodyOf<'beginPasskey'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'beginPasskey'>> {
    const context = callerContext(caller, clientOf(request));
    return this.bus.execute(new BeginPasskey(context, proof));
  }

  @Route('addPasskey')
  async addPasskey(
    @BodyOf('addPasskey') { name, passkey }: BodyOf<'addPasskey'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'addPasskey'>> {
    const context = callerContext(caller, clientOf(request));
    const recoveryCodes = await this.bus.execute(new AddPasskey(context, name, passkey));
    return { recoveryCodes: [...recoveryCodes], message: 'Passkey added' };
  }

  @Route('askPasskey')
  askPasskey(
    @BodyOf('askPasskey') { for: purpose }: BodyOf<'askPasskey'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'askPasskey'>> {
    const context = callerContext(caller, clientOf(request));
    return this.bus.execute(new AskPasskey(context, purpose));
  }

  @Route('removePasskey')
  async removePasskey(
    @ParamsOf('removePasskey') { passkeyId }: ParamsOf<'removePasskey'>,
    @BodyOf('removePasskey') proof: BodyOf<'removePasskey'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'removePasskey'>> {
    const context = callerContext(caller, clientOf(request));
    await this.bus.execute(new RemovePasskey(context, passkeyId, proof));
    return { message: 'Passkey removed' };
  }
}
