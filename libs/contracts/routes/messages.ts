import { z } from 'zod';
import { reasonBody } from '../common.js';
import {
  messageBody,
  messageDecisionAnswer,
  messageId,
  messagePage,
  messageQuery,
  sentAnswer,
} from '../messages.js';
import { type Route } from './route.js';

const ofMessage = z.object({ messageId });

/** What an admin does with a message. */
const decision = {
  method: 'POST',
  tag: 'Administration',
  access: 'admin',
  may: 'look after people',
  stepUp: 'never',
  command: true,
  params: ofMessage,
  body: reasonBody,
  status: 200,
  answer: messageDecisionAnswer,
  errors: ['message_not_found'],
} as const;

/** What people write to the platform. */
export const messagesRoutes = {
  sendMessage: {
    method: 'POST',
    path: '/api/messages',
    summary: 'Write to the platform; a customer’s name, e-mail and phone are filled in from the account',
    tag: 'Content',
    access: 'anyone',
    command: true,
    body: messageBody,
    status: 201,
    answer: sentAnswer,
    failed: 'Something went wrong.',
    errors: ['message_not_found', 'account_not_found'],
  },
  messages: {
    method: 'GET',
    path: '/api/messages',
    summary: 'What was written, newest first',
    tag: 'Administration',
    access: 'admin',
    may: 'read',
    stepUp: 'as a file',
    query: messageQuery,
    status: 200,
    answer: messagePage,
    files: ['text/csv'],
    errors: ['overloaded'],
  },
  readMessage: {
    ...decision,
    path: '/api/messages/:messageId/read',
    summary: 'Mark a message as read',
  },
  unreadMessage: {
    ...decision,
    path: '/api/messages/:messageId/unread',
    summary: 'Mark a message as not read',
  },
  forgetMessage: {
    ...decision,
    path: '/api/messages/:messageId/forget',
    summary: 'Erase a message for ever: its key is destroyed',
  },
} as const satisfies Record<string, Route>;
