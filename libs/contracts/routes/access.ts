import { invitationAnswer, registerAnswer, registerBody, session, signedOut, signInBody } from '../auth.js';
import { type Route } from './route.js';

/** Registration, signing in and out, invitations. */
export const accessRoutes = {
  register: {
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Register a customer, or an admin with an invitation',
    tag: 'Access',
    access: 'visitor',
    body: registerBody,
    status: 201,
    answer: registerAnswer,
    errors: ['email_exists', 'invitation_invalid', 'account_not_found'],
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/sign-in',
    summary: 'Sign in with e-mail and password',
    tag: 'Access',
    access: 'visitor',
    body: signInBody,
    status: 200,
    answer: session,
    errors: ['invalid_credentials', 'account_not_found', 'too_many_attempts'],
  },
  refresh: {
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Take a new access token for the refresh cookie, which is rotated',
    tag: 'Access',
    access: 'visitor',
    status: 200,
    answer: session,
    errors: ['token_missing', 'token_invalid', 'token_expired', 'account_not_found', 'too_many_attempts'],
  },
  signOut: {
    method: 'POST',
    path: '/api/auth/sign-out',
    summary: 'End this session',
    tag: 'Access',
    access: 'visitor',
    status: 200,
    answer: signedOut,
    errors: [],
  },
  inviteAdmin: {
    method: 'POST',
    path: '/api/invitations',
    summary: 'Issue a one-time invitation that makes an admin',
    tag: 'Administration',
    access: 'admin',
    status: 201,
    answer: invitationAnswer,
    errors: [],
  },
} as const satisfies Record<string, Route>;
