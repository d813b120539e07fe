import { Controller } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  Bus,
  callerContext,
  CancelEmailChange,
  ConfirmEmailChange,
  GetEmailChange,
  ListMails,
  RequestEmailChange,
  RequestEmailVerification,
  RequestPasswordReset,
  ResetPassword,
  VerifyEmail,
  visitorContext,
  type Session,
} from '#application';
import { clientOf } from '../http/client.js';
import { RepeatableParam, type RepeatableRequest } from '../http/command-context.js';
import { pendingView } from '../access/views.js';
import { BodyOf, Caller, QueryOf, Req, Route, type AnswerOf } from '../http/route.js';

/** What is sent by mail, and what its links are good for. */
@Controller()
export class MailController {
  constructor(private readonly bus: Bus) {}

  @Route('requestPasswordReset')
  async requestPasswordReset(
    @BodyOf('requestPasswordReset') { email }: BodyOf<'requestPasswordReset'>,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'requestPasswordReset'>> {
    await this.bus.execute(new RequestPasswordReset(visitorContext(clientOf(request)), email));
    return { message: 'If somebody is registered with this e-mail address, a link is on its way to it.' };
  }

  @Route('resetPassword')
  async resetPassword(
    @BodyOf('resetPassword') { token, newPassword }: BodyOf<'resetPassword'>,
    @Req() request: FastifyRequest,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'resetPassword'>> {
    const context = visitorContext(clientOf(request));
    await answered(this.bus.execute(new ResetPassword(context, { token, password: newPassword }, key)));
    return { message: 'Password updated successfully!' };
  }

  @Route('requestEmailVerification')
  async requestEmailVerification(
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'requestEmailVerification'>> {
    await this.bus.execute(new RequestEmailVerification(callerContext(caller, clientOf(request))));
    return { message: 'A link is on its way to your e-mail address, unless it is verified already.' };
  }

  @Route('verifyEmail')
  async verifyEmail(
    @BodyOf('verifyEmail') { token }: BodyOf<'verifyEmail'>,
    @Req() request: FastifyRequest,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'verifyEmail'>> {
    const command = new VerifyEmail(visitorContext(clientOf(request)), token, key);
    const { position } = await answered(this.bus.execute(command));
    return { position, message: 'Your e-mail address is verified.' };
  }

  @Route('emailChange')
  async emailChange(@Caller() { userId }: Session): Promise<AnswerOf<'emailChange'>> {
    const pending = await this.bus.query(new GetEmailChange(userId));
    return { pending: pending === undefined ? null : pendingView(pending) };
  }

  @Route('requestEmailChange')
  async requestEmailChange(
    @BodyOf('requestEmailChange') { email, proof }: BodyOf<'requestEmailChange'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'requestEmailChange'>> {
    const context = callerContext(caller, clientOf(request));
    const { expiresAt } = await answered(
      this.bus.execute(new RequestEmailChange(context, email, proof, key)),
    );
    return { pending: pendingView({ email, expiresAt }), message: `A link was sent to ${email}.` };
  }

  @Route('cancelEmailChange')
  async cancelEmailChange(
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<AnswerOf<'cancelEmailChange'>> {
    await this.bus.execute(new CancelEmailChange(callerContext(caller, clientOf(request))));
    return { message: 'Your e-mail address stays as it is.' };
  }

  @Route('confirmEmailChange')
  async confirmEmailChange(
    @BodyOf('confirmEmailChange') { token }: BodyOf<'confirmEmailChange'>,
    @Req() request: FastifyRequest,
    @RepeatableParam() { key, answered }: RepeatableRequest,
  ): Promise<AnswerOf<'confirmEmailChange'>> {
    const command = new ConfirmEmailChange(visitorContext(clientOf(request)), token, key);
    const { position } = await answered(this.bus.execute(command));
    return { position, message: 'Your e-mail address was changed.' };
  }

  @Route('mails')
  async mails(@QueryOf('mails') { limit, cursor }: QueryOf<'mails'>): Promise<AnswerOf<'mails'>> {
    return this.bus.query(new ListMails({ limit, cursor }));
  }
}
