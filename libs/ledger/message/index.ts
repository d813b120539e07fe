import type { Decider } from '#kernel';
import { decide, type MessageCommand } from './decide.js';
import { messageCodecs } from './codecs.js';
import type { MessageEvent } from './events.js';
import { evolve, noMessage, type Message } from './state.js';

/** What somebody wrote to the platform by its contact form. */
export const messageDecider: Decider<MessageCommand, MessageEvent, Message> = {
  initial: noMessage,
  decide,
  evolve,
  codecs: messageCodecs,
};

/** The stream of a message. */
export function messageStream(messageId: string): string {
  return `message-${messageId}`;
}

export type { MessageCommand } from './decide.js';
export type { MessageEvent } from './events.js';
export type { Message } from './state.js';
