import {
  mailQuery,
  mails,
  requestPasswordResetAnswer,
  requestPasswordResetBody,
  resetPasswordBody,
  verifyEmailBody,
} from '../mail.js';
import { done } from '../auth.js';
import { accepted } from '../common.js';
import { type Route } from './route.js';

/** What is sent by mail, and what the links in it are good for. A link is used by a POST: whoever only opens it changes nothing. */
export const mailRoutes = {
  requestPasswordReset: {
    method: 'POST',
    path: '/api/auth/password-reset',
    summary: 'Send a link to set a new password by, to whoever has an e-mail address',
    tag: 'Access',
    access: 'visitor',
    body: requestPasswordResetBody,
    status: 200,
    answer: requestPasswordResetAnswer,
    errors: [],
  },
  resetPassword: {
    method: 'POST',
    path: '/api/auth/reset-password',
    summary: 'Set a new password by a link from a mail; all sessions end',
    tag: 'Access',
    access: 'visitor',
    repeatable: true,
    body: resetPasswordBody,
    status: 200,
    answer: done,
    failed: 'Failed to reset password.',
    errors: ['link_invalid', 'password_policy', 'account_not_found'],
  },
  requestEmailVerification: {
    method: 'POST',
    path: '/api/auth/email-verification',
    summary: 'Send the link again by which the own e-mail address is verified',
    tag: 'Access',
    access: 'user',
    status: 200,
    answer: done,
    errors: ['account_not_found'],
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/auth/verify-email',
    summary: 'Verify an e-mail address by a link from a mail',
    tag: 'Access',
    access: 'visitor',
    repeatable: true,
    body: verifyEmailBody,
    status: 200,
    answer: accepted,
    errors: ['link_invalid', 'account_not_found', 'account_closed'],
  },
  mails: {
    method: 'GET',
    path: '/api/mails',
    summary: 'The mails of late: to whom, what about and what became of each, newest first',
    tag: 'Operations',
    access: 'admin',
    query: mailQuery,
    status: 200,
    answer: mails,
    errors: [],
  },
} as const satisfies Record<string, Route>;
