import { notedAs, type SecurityLog } from '#application';
import type { FastifyRequest } from 'fastify';
import { clientOf } from './client.js';
import { toLodeError } from './problem.js';
import type { LodeRequest } from './route.js';

/** Notes a refusal of access, with who was refused where that is known. */
export type RefusalLog = (error: unknown, request: FastifyRequest) => void;

/** Refusals go to the log of access, by the code that they are answered with. */
export function createRefusalLog(security: Pick<SecurityLog, 'refused'>): RefusalLog {
  return (error, request: LodeRequest) => {
    const type = notedAs(toLodeError(error).code);
    if (type !== undefined) security.refused(type, { session: request.caller, client: clientOf(request) });
  };
}
