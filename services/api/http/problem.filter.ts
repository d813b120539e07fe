import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { PROBLEM_TYPE, problemOf, toLodeError } from './problem.js';

/** Answers every error as a problem document, and logs those that are ours. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    sendProblem(error, request, host.switchToHttp().getResponse<FastifyReply>(), this.logger);
  }
}

/** Sends the problem document of an error. A bug is logged with its stack, an engine's failure with its cause. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const problem = problemOf(error);
  if (problem.status >= 500) {
    logger.error({ err: error, code: problem.code, method: request.method, url: request.url }, problem.detail);
  }
  if (reply.sent) return;
  const { retryAfterSeconds } = toLodeError(error).details;
  if (typeof retryAfterSeconds === 'number') void reply.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
  else if (problem.status === 503) void reply.header('Retry-After', '1');
  void reply.status(problem.status).header('Content-Type', PROBLEM_TYPE).send(JSON.stringify(problem));
}
