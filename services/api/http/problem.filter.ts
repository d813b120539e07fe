import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { LodeError, type ErrorCode } from '#kernel';
import type { Socket } from 'node:net';
import type { FailureLog } from './failure-log.js';
import type { RefusalLog } from './refusal-log.js';
import { PROBLEM_TYPE, problemOf, toLodeError } from './problem.js';
import { routeOf } from './route.js';

/** Answers every error as a problem document, and logs those that are ours. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly failures: FailureLog,
    private readonly refusals: RefusalLog,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest(), http.getResponse());
  }

  /** Sends the problem document of an error, and notes a refusal of access. */
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    this.refusals(error, request);
    sendProblem(error, request, reply, this.failures);
  }
}

/** Sends the problem document of an error, and writes down what is our failure. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  failures: FailureLog,
): void {
  const problem = problemOf(error, routeOf(request));
  if (problem.status >= 500) failures(error, request);
  if (reply.sent) return;
  if (problem.status === 401) void reply.header('WWW-Authenticate', challengeOf(problem.code));
  const { retryAfterSeconds } = toLodeError(error).details;
  if (typeof retryAfterSeconds === 'number')
    void reply.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
  else if (problem.status === 503) void reply.header('Retry-After', '1');
  void reply.status(problem.status).header('Content-Type', PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** How to be known here, and what was wrong with the token that came (RFC 6750, 3). */
function challengeOf(code: ErrorCode): string {
  const wrong = code === 'token_invalid' || code === 'token_expired';
  return `Bearer realm="Lode"${wrong ? ', error="invalid_token"' : ''}`;
}

/** Answers what is no HTTP request, or one that does not come to its end, and closes the connection. */
export function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  refuseSocket(socket, refusalOf(error.code));
}

/** Answers whoever is at the other end before there is a request, and closes the connection. */
export function refuseSocket(socket: Socket, error: LodeError): void {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** Refuses a request of HTTP/1.1 that names no host (RFC 9112, 3.2), and closes the connection. HTTP/1.0 need not name one. */
export function refuseHostless(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const hosts = hostsOf(raw.rawHeaders);
  if (hosts === 1 || (hosts === 0 && raw.httpVersion !== '1.1')) {
    done();
    return;
  }
  void reply.header('Connection', 'close');
  const what = hosts === 0 ? 'does not say which host it is for' : 'is for more than one host';
  done(new LodeError('validation_failed', `The request ${what}.`));
}

/** The name of the header, as it is compared. */
const HOST = 'host';

/** How many hosts a request names; its names and values follow one another. */
function hostsOf(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts;
}

/** What a connection is refused with, by Node's word for what is wrong with it. */
function refusalOf(code: string | undefined): LodeError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new LodeError('body_too_large', 'The head of the request is too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new LodeError('validation_failed', 'The request did not arrive in time. Please send it again.');
    default:
      return new LodeError('validation_failed', 'The request is not valid HTTP.');
  }
}
