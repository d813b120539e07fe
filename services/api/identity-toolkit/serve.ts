import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GetPasswordPolicy, type PasswordPolicy } from '#application';
import { clientOf } from '../http/client.js';
import type { FailureLog } from '../http/failure-log.js';
import type { RefusalLog } from '../http/refusal-log.js';
import { readJson } from '../http/json.js';
import {
  deleteAccount,
  lookup,
  notAllowed,
  refresh,
  resetPassword,
  revokeToken,
  sendOobCode,
  signInWithPassword,
  signUp,
  updateAccount,
  type ToolkitDependencies,
  type ToolkitRoute,
} from './accounts.js';
import { errorAnswer, nothingHere } from './errors.js';
import { allowOrigins, answerPreflight, tellOrigin } from './origins.js';

/** Where clients of the real service and of its emulator look for it. */
const ACCOUNTS_HOSTS = ['', '/identitytoolkit.googleapis.com'] as const;
const TOKEN_HOSTS = ['', '/securetoken.googleapis.com'] as const;
/** Whatever else is asked for there is answered in the words of this API too. */
const EVERYTHING_ELSE = [
  '/v1/*',
  '/v2/*',
  '/identitytoolkit.googleapis.com/*',
  '/securetoken.googleapis.com/*',
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Each path is a colon doubled, since a single one begins a parameter. */
const accounts: Readonly<Record<string, ToolkitRoute>> = {
  '/v1/accounts::signUp': signUp,
  '/v1/accounts::signInWithPassword': signInWithPassword,
  '/v1/accounts::lookup': lookup,
  '/v1/accounts::update': updateAccount,
  '/v1/accounts::delete': deleteAccount,
  '/v2/accounts::revokeToken': revokeToken,
  '/v1/accounts::signInWithIdp': notAllowed,
  '/v1/accounts::signInWithEmailLink': notAllowed,
  '/v1/accounts::signInWithPhoneNumber': notAllowed,
  '/v1/accounts::signInWithCustomToken': notAllowed,
  '/v1/accounts::sendVerificationCode': notAllowed,
  '/v1/accounts::sendOobCode': sendOobCode,
  '/v1/accounts::resetPassword': resetPassword,
  '/v1/accounts::createAuthUri': notAllowed,
};

/**
 * Serves the part of Google's Identity Toolkit that its clients need to sign up, in and out with an e-mail and a
 * password, over Lode's own identity: the same accounts, sessions, limits and policy. Pages of `origins` may call it too.
 */
export async function serveIdentityToolkit(
  fastify: FastifyInstance,
  toolkit: ToolkitDependencies,
  {
    origins,
    failures,
    refusals,
  }: { readonly origins: readonly string[]; readonly failures: FailureLog; readonly refusals: RefusalLog },
): Promise<void> {
  await fastify.register((scope, _, done) => {
    readJson(scope, 'removed');
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.setErrorHandler((error, request, reply) => {
      const { status, body } = errorAnswer(error);
      if (status >= 500) failures(error, request);
      refusals(error, request);
      // What is refused before the hooks of here have run.
      tellOrigin(request, reply, origins);
      return reply.status(status).send(body);
    });
    if (origins.length > 0) allowOrigins(scope, origins);
    const letAsk = (url: string) => {
      if (origins.length > 0) scope.options(url, { config: { rateLimit: false } }, answerPreflight);
    };
    const serve = (
      method: 'GET' | 'POST',
      url: string,
      handler: (request: FastifyRequest) => Promise<object>,
    ) => {
      scope.route({ method, url, handler, config: { secret: true } });
      letAsk(url);
    };
    const post = (path: string, handler: ToolkitRoute) =>
      serve('POST', path, (request) => handler(toolkit, { body: request.body, client: clientOf(request) }));
    for (const host of ACCOUNTS_HOSTS) {
      for (const [path, handler] of Object.entries(accounts)) post(host + path, handler);
      serve('GET', `${host}/v2/passwordPolicy`, async () =>
        policyAnswer(await toolkit.bus.query(new GetPasswordPolicy())),
      );
      serve('GET', `${host}/v2/recaptchaConfig`, async () => recaptchaAnswer);
    }
    for (const host of TOKEN_HOSTS) post(`${host}/v1/token`, refresh);
    for (const url of EVERYTHING_ELSE) {
      scope.route({
        method: METHODS,
        url,
        handler: async () => {
          throw nothingHere();
        },
      });
      letAsk(url);
    }
    done();
  });
}

function policyAnswer({ minLength, maxLength, requires }: PasswordPolicy) {
  return {
    customStrengthOptions: {
      minPasswordLength: minLength,
      maxPasswordLength: maxLength,
      containsLowercaseCharacter: requires.includes('lowercase'),
      containsUppercaseCharacter: requires.includes('uppercase'),
      containsNumericCharacter: requires.includes('numeric'),
      containsNonAlphanumericCharacter: requires.includes('non-alphanumeric'),
    },
    allowedNonAlphanumericCharacters: Array.from(' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'),
    enforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
    schemaVersion: 1,
  };
}

/** Guessing is limited by attempts, not by puzzles. */
const recaptchaAnswer = {
  recaptchaKey: '',
  recaptchaEnforcementState: [
    { provider: 'EMAIL_PASSWORD_PROVIDER', enforcementState: 'OFF' },
    { provider: 'PHONE_PROVIDER', enforcementState: 'OFF' },
  ],
};
