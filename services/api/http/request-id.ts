import type { IncomingMessage } from 'node:http';
import { randomAlphanumeric, type Random } from '#kernel';

/** Where the id of a request stands, in it and in the answer. */
export const REQUEST_ID = 'X-Request-Id';
/** What is taken for a request's id: nothing that could be mistaken in a log for something else. */
const ID = /^[\w.:/+=-]{1,128}$/;
/** Letters and digits of an id of our own: of the program that gave it, drawn once, and of its count. */
const [PROGRAM, COUNT] = [12, 10];
const RADIX = 36;

/** Gives each request an id: the one that it came with, when that is one, or else a new one. */
export function requestIds(random: Random): (request: Pick<IncomingMessage, 'headers'>) => string {
  const program = randomAlphanumeric(random, PROGRAM);
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && ID.test(given)) return given;
    return program + (count++).toString(RADIX).padStart(COUNT, '0');
  };
}
