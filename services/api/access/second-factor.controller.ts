import { Controller, Inject } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  BeginSecondFactor,
  Bus,
  callerContext,
  ConfirmSecondFactor,
  GetSecondFactor,
  RemoveLostSecondFactor,
  RemoveSecondFactor,
  RenewRecoveryCodes,
  sessionContext,
  type SecondFactorDuty,
  type Session,
} from '#application';
import { clientOf } from '../http/client.js';
import { SECOND_FACTOR_DUTY } from '../http/route.guard.js';
import { BodyOf, Caller, ParamsOf, Req, Route, type AnswerOf } from '../http/route.js';
import { factorView } from './views.js';

/** What authenticator apps call us. */
const ISSUER = 'Lode';

/** A person's second factor. */
@Controller()
export class SecondFactorController {
  constructor(
    private readonly bus: Bus,
    @Inject(SECOND_FACTOR_DUTY) private readonly mustSetUp: SecondFactorDuty,
  ) {}

  @Route('secondFactor')
  async secondFactor(@Caller() caller: Session): Promise<AnswerOf<'secondFactor'>> {
    const factor = await this.bus.query(new GetSecondFactor(caller.userId));
    return { ...factorView(factor), isDue: await this.mustSetUp(caller) };
  }

  @Route('beginSecondFactor')
  async beginSecondFactor(
    @BodyOf('beginSecondFactor') proof: BodyOf<'beginSecondFactor'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'beginSecondFactor'>> {
    const context = callerContext(caller, clientOf(request));
    const { secret, email } = await this.bus.execute(new BeginSecondFactor(context, proof));
    const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(email)}`;
    const uri = `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(ISSUER)}`;
    return { secret, uri, message: 'Confirm it by a first code' };
  }

  @Route('confirmSecondFactor')
  async confirmSecondFactor(
    @BodyOf('confirmSecondFactor') { code }: BodyOf<'confirmSecondFactor'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'confirmSecondFactor'>> {
    const context = callerContext(caller, clientOf(request));
    const recoveryCodes = await this.bus.execute(new ConfirmSecondFactor(context, code));
    return { recoveryCodes: [...recoveryCodes], message: 'Second factor is on' };
  }

  @Route('removeSecondFactor')
  async removeSecondFactor(
    @BodyOf('removeSecondFactor') proof: BodyOf<'removeSecondFactor'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'removeSecondFactor'>> {
    const context = callerContext(caller, clientOf(request));
    const { isStillOn } = await this.bus.execute(new RemoveSecondFactor(context, proof));
    return { message: isStillOn ? 'App is off, passkeys stay' : 'Second factor is off' };
  }

  @Route('renewRecoveryCodes')
  async renewRecoveryCodes(
    @BodyOf('renewRecoveryCodes') proof: BodyOf<'renewRecoveryCodes'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'renewRecoveryCodes'>> {
    const context = callerContext(caller, clientOf(request));
    const recoveryCodes = await this.bus.execute(new RenewRecoveryCodes(context, proof));
    return { recoveryCodes: [...recoveryCodes], message: 'Recovery codes replaced' };
  }

  @Route('removeLostSecondFactor')
  async removeLostSecondFactor(
    @ParamsOf('removeLostSecondFactor') { userId }: ParamsOf<'removeLostSecondFactor'>,
    @BodyOf('removeLostSecondFactor') { reason }: BodyOf<'removeLostSecondFactor'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'removeLostSecondFactor'>> {
    await this.bus.execute(new RemoveLostSecondFactor(sessionContext(caller), userId, reason));
    return { message: 'Second factor is off' };
  }
}
