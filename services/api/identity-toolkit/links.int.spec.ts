import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  inMemoryPersistence,
  initializeAuth,
  sendEmailVerification,
  sendPasswordResetEmail,
  sendSignInLinkToEmail,
  signInWithEmailAndPassword,
  type Auth,
} from 'firebase/auth';
import { startSmtp, tokenIn, type SmtpDouble } from '#mail/testing';
import { mailThrough, newPerson, PASSWORD, startLode, type Lode } from '../../lode/testing/index.js';

let smtp: SmtpDouble;
let lode: Lode;
let app: FirebaseApp;
let auth: Auth;
beforeAll(async () => {
  smtp = await startSmtp();
  lode = await startLode({
    ...mailThrough(smtp),
    identityToolkit: true,
    unverifiedMayNot: ['withdraw'],
  });
  app = initializeApp({ apiKey: 'any', projectId: 'lode' });
  auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, lode.visitor.address, { disableWarnings: true });
});
afterAll(async () => {
  await deleteApp(app);
  await lode.stop();
  await smtp.stop();
});

const refused = (code: string) => ({ code: `auth/${code}` });

test('a client sends the link again by which an e-mail is verified, and then knows that it is', async () => {
  const { email } = newPerson('Ann');
  const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
  expect(user.emailVerified).toBe(false);
  expect((await user.getIdTokenResult()).claims['email_verified']).toBe(false);
  await smtp.hadTo(email, 1);
  await sendEmailVerification(user);
  const body = { token: tokenIn(await smtp.hadTo(email, 2)) };
  await lode.visitor.get('verifyEmail', { body });
  await user.reload();
  expect(user.emailVerified).toBe(true);
  expect((await user.getIdTokenResult(true)).claims['email_verified']).toBe(true);
});

test('a client sends the link for a new password, and is told the same of an e-mail that nobody has', async () => {
  const person = newPerson('Bob');
  const { email } = person;
  await lode.visitor.get('register', { body: person });
  await smtp.hadTo(email, 1);
  await sendPasswordResetEmail(auth, newPerson('Nobody').email);
  await sendPasswordResetEmail(auth, email);
  const mail = await smtp.hadTo(email, 2);
  expect(mail.raw).toMatch(/https:\/\/lode\.example\.org\/reset-password#/);
  const newPassword = 'battery staple';
  await lode.visitor.get('resetPassword', { body: { token: tokenIn(mail), newPassword } });
  expect((await signInWithEmailAndPassword(auth, email, newPassword)).user.email).toBe(email);
});

test('no other link is sent: not one to sign in by, nor any without an e-mail or a session', async () => {
  const settings = { url: 'https://app.example.org', handleCodeInApp: true };
  await expect(sendSignInLinkToEmail(auth, newPerson('Eve').email, settings)).rejects.toMatchObject(
    refused('operation-not-allowed'),
  );
  await expect(sendPasswordResetEmail(auth, 'nobody')).rejects.toMatchObject(refused('invalid-email'));
  const ask = async (body: object) => {
    const response = await fetch(`${lode.visitor.address}/v1/accounts:sendOobCode?key=x`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { error } = (await response.json()) as { readonly error: { readonly message: string } };
    return [response.status, error.message];
  };
  expect(await ask({})).toEqual([400, 'MISSING_REQ_TYPE']);
  expect(await ask({ requestType: 'PASSWORD_RESET' })).toEqual([400, 'MISSING_EMAIL']);
  expect(await ask({ requestType: 'VERIFY_EMAIL' })).toEqual([400, 'MISSING_ID_TOKEN']);
  expect(await ask({ requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken: 'x' })).toEqual([
    400,
    'OPERATION_NOT_ALLOWED',
  ]);
});
