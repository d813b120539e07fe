import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CODE_ATTEMPT_LIMITS } from '#identity';
import { createAuthenticator, type Authenticator, type Bent } from '#identity/testing';
import { startSmtp, type SmtpDouble } from '#mail/testing';
import {
  credit,
  enrol,
  join,
  keyed,
  PASSWORD,
  PIN,
  problemIn,
  saveWalletAddress,
  setPin,
  signIn,
  startLode,
  totpOf,
  transferTo,
  type Answer,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const ORIGIN = 'https://lode.example';
const BANK_ACCOUNT = '7777777777';

describe('passkeys', () => {
  let lode: Lode;
  let smtp: SmtpDouble;
  beforeAll(async () => {
    smtp = await startSmtp();
    lode = await startLode({ smtpUrl: smtp.url, publicUrl: ORIGIN });
  });
  afterAll(async () => {
    await lode.stop();
    await smtp.stop();
  });
  const codeOf = async (answer: Promise<Answer>) => problemIn(await answer).code;
  const isSignedIn = async ({ api }: Person) => (await api.call('me')).status !== 401;

  type Owner = Person & { readonly device: Authenticator; readonly recoveryCodes: readonly string[] };
  const add = async (person: Person, body: object, device = createAuthenticator(ORIGIN)): Promise<Owner> => {
    const options = await person.api.get('beginPasskey', { body });
    const passkey = device.make(options);
    const { recoveryCodes } = await person.api.get('addPasskey', { body: { name: 'Telephone', passkey } });
    return { ...person, device, recoveryCodes };
  };
  const owner = async (firstname: string) => add(await join(lode.visitor, firstname), { password: PASSWORD });
  type Purpose = 'transfer' | 'withdrawal' | 'security' | 'second factor';
  const signed = async ({ api, device }: Owner, purpose: Purpose, bent: Bent = {}) =>
    device.sign(await api.get('askPasskey', { body: { for: purpose } }), bent);
  const challengeOf = async ({ email }: Pick<Person, 'email'>) => {
    const answer = await lode.visitor.get('signIn', { body: { email, password: PASSWORD } });
    if (!('challenge' in answer)) throw new Error('no second step');
    return answer;
  };
  const finish = (body: object) => lode.visitor.call('finishSignIn', { body });
  const withMoney = async (firstname: string) => {
    const person = await join(lode.visitor, firstname);
    await saveWalletAddress(person);
    await setPin(person);
    await credit(await signIn(lode.visitor, lode.admin), person, { BTC: '1000' });
    return add(person, { password: PASSWORD });
  };
  const changesOf = async ({ userId }: Person) => {
    const admin = await signIn(lode.visitor, lode.admin);
    const { events } = await admin.api.get('stream', { params: { stream: `access-${userId}` } });
    return events.flatMap(({ data }) => (typeof data['change'] === 'string' ? [data['change']] : []));
  };

  test('one is added with the password, ends other sessions, and is told by event and mail', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const elsewhere = await signIn(lode.visitor, ann);
    expect(await codeOf(ann.api.call('beginPasskey', { body: { password: 'wrong' } }))).toBe(
      'invalid_credentials',
    );
    expect(await codeOf(ann.api.call('beginPasskey', { body: {} }))).toBe('proof_missing');
    const { recoveryCodes } = await add(ann, { password: PASSWORD });
    expect(recoveryCodes).toHaveLength(10);
    expect(await Promise.all([ann, elsewhere].map(isSignedIn))).toEqual([true, false]);
    expect(await ann.api.get('secondFactor')).toMatchObject({
      isOn: true,
      hasApp: false,
      recoveryCodesLeft: 10,
      passkeys: [{ name: 'Telephone' }],
      passkeysRefused: null,
      rpId: 'lode.example',
    });
    expect(await changesOf(ann)).toEqual(['passkey added']);
    expect((await smtp.hadTo(ann.email, 1)).raw).toContain('Change: passkey added');
    // The next one asks for what is on.
    expect(await codeOf(ann.api.call('beginPasskey', { body: { password: PASSWORD } }))).toBe(
      'proof_missing',
    );
    const recovery = { password: PASSWORD, code: recoveryCodes[0] ?? '' };
    expect(await codeOf(ann.api.call('beginPasskey', { body: recovery }))).toBe('second_factor_wrong');
  });

  test('one signs in once the password was right, for that sign-in, once', async () => {
    const bob = await owner('Bob');
    const step = await challengeOf(bob);
    const assertion = bob.device.sign(step.passkey!);
    const other = await challengeOf(bob);
    expect(await codeOf(finish({ challenge: other.challenge, passkey: assertion }))).toBe('passkey_refused');
    for (const bent of [{ origin: 'https://evil.example' }, { isUnverified: true }]) {
      const wrong = bob.device.sign(step.passkey!, bent);
      expect(await codeOf(finish({ challenge: step.challenge, passkey: wrong }))).toBe('passkey_refused');
    }
    const { challenge } = step;
    expect(await codeOf(finish({ challenge }))).toBe('validation_failed');
    expect(await codeOf(finish({ challenge, code: '000000', passkey: assertion }))).toBe('validation_failed');
    const done = await Promise.all([1, 2].map(() => finish({ challenge, passkey: assertion })));
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect(await codeOf(finish({ challenge, passkey: assertion }))).toBe('challenge_invalid');
    const last = await challengeOf(bob);
    expect((await finish({ challenge: last.challenge, code: bob.recoveryCodes[0] })).status).toBe(200);
    const told = [(await smtp.hadTo(bob.email, 1)).raw, (await smtp.hadTo(bob.email, 2)).raw];
    expect(told.join()).toContain('Somebody entered your password');
  });

  test('one proves who asks for money, once; a repeat is answered without it', async () => {
    const cay = await withMoney('Cay');
    const withdrawal = { amount: '2', currency: 'BTC' } as const;
    const passkey = await signed(cay, 'withdrawal');
    const headers = keyed();
    const ask = (proof: object, given = keyed()) =>
      cay.api.call('requestWithdrawal', { body: { ...withdrawal, proof }, headers: given });
    expect((await ask({ passkey }, headers)).status).toBe(201);
    for (const again of [{ passkey }, {}, { passkey: await signed(cay, 'security') }]) {
      const answer = await ask(again, headers);
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    }
    expect(await codeOf(ask({ passkey }))).toBe('challenge_invalid');
    expect(await codeOf(ask({ passkey: await signed(cay, 'transfer') }))).toBe('challenge_invalid');
    const unverified = await signed(cay, 'withdrawal', { isUnverified: true });
    expect(await codeOf(ask({ passkey: unverified }))).toBe('passkey_refused');
    expect(await codeOf(ask({ pin: '0000', passkey: await signed(cay, 'withdrawal') }))).toBe('pin_wrong');
    const { pin: _, ...transfer } = transferTo(BANK_ACCOUNT, '2');
    const send = (body: object) => cay.api.call('requestTransfer', { body, headers: keyed() });
    expect(await codeOf(send(transfer))).toBe('proof_missing');
    const proof = { passkey: await signed(cay, 'transfer') };
    expect((await send({ ...transfer, proof })).status).toBe(201);
    expect((await send({ ...transfer, pin: PIN })).status).toBe(201);
    expect(await codeOf(send({ ...transfer, proof }))).toBe('challenge_invalid');
  });

  test('one of an authenticator that counts proves once by its count, too', async () => {
    const password = { password: PASSWORD };
    const cos = await add(await join(lode.visitor, 'Cos'), password, createAuthenticator(ORIGIN, true));
    const passkey = await signed(cos, 'security');
    const begin = () => cos.api.call('beginSecondFactor', { body: { passkey } });
    expect((await begin()).status).toBe(200);
    expect(await codeOf(begin())).toBe('passkey_refused');
  });

  test('one proves who changes what guards the account, and stands for a code beside the password', async () => {
    const dan = await owner('Dan');
    const address = { walletAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', currency: 'BTC' } as const;
    const save = (proof: object) =>
      dan.api.call('saveWalletAddress', {
        params: { userId: dan.userId },
        body: { ...address, proof },
        headers: keyed(),
      });
    expect(await codeOf(save({ password: PASSWORD }))).toBe('proof_missing');
    expect((await save({ passkey: await signed(dan, 'security') })).status).toBe(200);
    const pin = { pin: '4821', password: PASSWORD };
    expect(await codeOf(dan.api.call('setTransferPin', { body: pin }))).toBe('proof_missing');
    const proven = { ...pin, passkey: await signed(dan, 'security') };
    expect((await dan.api.call('setTransferPin', { body: proven })).status).toBe(200);
    const change = { oldPassword: PASSWORD, newPassword: 'another horse' };
    expect(await codeOf(dan.api.call('changePassword', { body: change }))).toBe('proof_missing');
    const changed = { ...change, passkey: await signed(dan, 'security') };
    expect((await dan.api.call('changePassword', { body: changed })).status).toBe(200);
  });

  test('nobody signs with another’s', async () => {
    const [eve, fay] = [await owner('Eve'), await owner('Fay')];
    const options = await eve.api.get('askPasskey', { body: { for: 'second factor' } });
    const theirs = fay.device.sign(options);
    const removing = (passkeyId: string, proof: object) =>
      eve.api.call('removePasskey', { params: { passkeyId }, body: proof });
    const [own] = (await eve.api.get('secondFactor')).passkeys;
    expect(await codeOf(removing(own?.passkeyId ?? '', { passkey: theirs }))).toBe('passkey_refused');
    const [hers] = (await fay.api.get('secondFactor')).passkeys;
    const mine = { passkey: await signed(eve, 'second factor') };
    expect(await codeOf(removing(hers?.passkeyId ?? '', mine))).toBe('passkey_missing');
    expect((await fay.api.get('secondFactor')).passkeys).toHaveLength(1);
  });

  test('an admin has them too, and is told of them by mail', async () => {
    const { token } = await lode.admin.api.get('inviteAdmin');
    const kim = await add(await join(lode.visitor, 'Kim', token), { password: PASSWORD });
    expect((await smtp.hadTo(kim.email, 1)).raw).toContain('Change: passkey added');
    const { challenge, passkey } = await challengeOf(kim);
    expect((await finish({ challenge, passkey: kim.device.sign(passkey!) })).status).toBe(200);
  });

  test('whoever was suspended between password and passkey is not let in', async () => {
    const leo = await owner('Leo');
    const { challenge, passkey } = await challengeOf(leo);
    const admin = await signIn(lode.visitor, lode.admin);
    const ask = { params: { userId: leo.userId }, body: {}, headers: keyed() };
    await admin.api.get('suspend', ask);
    const body = { challenge, passkey: leo.device.sign(passkey!) };
    expect(await codeOf(finish(body))).toBe('challenge_invalid');
    const again = { email: leo.email, password: PASSWORD };
    expect(await codeOf(lode.visitor.call('signIn', { body: again }))).toBe('account_suspended');
  });

  const withdrawing = ({ api }: Person, proof: object) => {
    const body = { amount: '2', currency: 'BTC', proof } as const;
    return api.call('requestWithdrawal', { body, headers: keyed() });
  };
  const refusalsOf = async ({ userId }: Person) => {
    const admin = await signIn(lode.visitor, lode.admin);
    const { events } = await admin.api.get('stream', { params: { stream: `access-${userId}` } });
    return events.flatMap(({ type, data }) => (type === 'SignInRefused' ? [data['why']] : []));
  };

  test('wrong ones are noted, and keep no right one and no code out', async () => {
    const mia = await withMoney('Mia');
    const { secret } = await mia.api.get('beginSecondFactor', {
      body: { passkey: await signed(mia, 'security') },
    });
    await mia.api.get('confirmSecondFactor', { body: { code: totpOf(secret) } });
    const unverified = await signed(mia, 'withdrawal', { isUnverified: true });
    const tries = CODE_ATTEMPT_LIMITS.pair.burst + 1;
    for (let n = 0; n < tries; n += 1)
      expect(await codeOf(withdrawing(mia, { passkey: unverified }))).toBe('passkey_refused');
    expect((await withdrawing(mia, { passkey: await signed(mia, 'withdrawal') })).status).toBe(201);
    const body = { password: PASSWORD, code: mia.recoveryCodes[0] ?? '' };
    expect((await mia.api.call('renewRecoveryCodes', { body })).status).toBe(200);
    expect(await refusalsOf(mia)).toEqual(Array.from({ length: tries }, () => 'passkey'));
  });

  test('of whoever has none, what is sent as one is no attempt: codes are taken as before', async () => {
    const ned = await enrol(await join(lode.visitor, 'Ned'));
    const eve = await owner('Eva');
    const theirs = await signed(eve, 'security');
    for (let n = 0; n <= CODE_ATTEMPT_LIMITS.pair.burst; n += 1) {
      const asked = ned.api.call('renewRecoveryCodes', { body: { passkey: theirs } });
      expect(await codeOf(asked)).toBe('passkey_missing');
    }
    const { challenge } = await challengeOf(ned);
    expect(await codeOf(finish({ challenge, passkey: theirs }))).toBe('passkey_missing');
    expect((await finish({ challenge, code: ned.recoveryCodes[0] })).status).toBe(200);
    expect(await refusalsOf(ned)).toEqual([]);
  });

  test('a counter that goes back is refused', async () => {
    const person = await join(lode.visitor, 'Gus');
    const gus = await add(person, { password: PASSWORD }, createAuthenticator(ORIGIN, true));
    const step = await challengeOf(gus);
    const passkey = gus.device.sign(step.passkey!, { counter: 1 });
    expect(await codeOf(finish({ challenge: step.challenge, passkey }))).toBe('passkey_refused');
    const counted = gus.device.sign(step.passkey!);
    expect((await finish({ challenge: step.challenge, passkey: counted })).status).toBe(200);
  });

  test('one is removed by itself or by password and recovery code; then no money leaves for a while', async () => {
    const hal = await withMoney('Hal');
    const proof = { passkey: await signed(hal, 'security') };
    const { secret } = await hal.api.get('beginSecondFactor', { body: proof });
    const first = { body: { code: totpOf(secret) } };
    expect(await hal.api.get('confirmSecondFactor', first)).toMatchObject({ recoveryCodes: [] });
    const [{ passkeyId } = { passkeyId: '' }] = (await hal.api.get('secondFactor')).passkeys;
    const remove = (body: object) => hal.api.call('removePasskey', { params: { passkeyId }, body });
    expect(await codeOf(remove({ password: PASSWORD }))).toBe('proof_missing');
    expect((await remove({ passkey: await signed(hal, 'second factor') })).status).toBe(200);
    const ask = {
      body: { amount: '2', currency: 'BTC', proof: { password: PASSWORD } },
      headers: keyed(),
    } as const;
    expect(await codeOf(hal.api.call('requestWithdrawal', ask))).toBe('money_out_waits');
    const body = { password: PASSWORD, code: hal.recoveryCodes[0] ?? '' };
    expect((await hal.api.get('removeSecondFactor', { body })).message).toBe('Second factor is off');
    expect(await hal.api.get('secondFactor')).toMatchObject({
      isOn: false,
      recoveryCodesLeft: 0,
      passkeys: [],
    });
    expect(await changesOf(hal)).toEqual([
      'removed',
      'recovery code used',
      'passkey removed',
      'set up',
      'passkey added',
    ]);
  });

  test('the app is taken off alone where there are passkeys, and the answer says so', async () => {
    const gia = await owner('Gia');
    const { secret } = await gia.api.get('beginSecondFactor', {
      body: { passkey: await signed(gia, 'security') },
    });
    await gia.api.get('confirmSecondFactor', { body: { code: totpOf(secret) } });
    const body = { passkey: await signed(gia, 'second factor') };
    expect((await gia.api.get('removeSecondFactor', { body })).message).toBe('App is off, passkeys stay');
    expect(await gia.api.get('secondFactor')).toMatchObject({
      isOn: true,
      hasApp: false,
      recoveryCodesLeft: 10,
      passkeys: [{ name: 'Telephone' }],
    });
  });

  test('an admin takes them off a customer who has lost them all', async () => {
    const ida = await owner('Ida');
    const admin = await signIn(lode.visitor, lode.admin);
    const ask = { params: { userId: ida.userId }, body: { reason: 'Lost the telephone' } };
    await admin.api.get('removeLostSecondFactor', ask);
    expect((await signIn(lode.visitor, ida)).userId).toBe(ida.userId);
    const again = await enrol(await signIn(lode.visitor, ida));
    expect(await again.api.get('secondFactor')).toMatchObject({ hasApp: true, passkeys: [] });
  });

  test.each([
    ['http://192.0.2.1:3000', 'number'],
    ['http://lode.example', 'insecure'],
  ])('at %s there are none, and the account says why', async (publicUrl, why) => {
    const other = await startLode({ publicUrl });
    try {
      const jon = await join(other.visitor, 'Jon');
      expect(await jon.api.get('secondFactor')).toMatchObject({ passkeysRefused: why, rpId: null });
      const begun = jon.api.call('beginPasskey', { body: { password: PASSWORD } });
      expect(await codeOf(begun)).toBe('passkeys_unavailable');
    } finally {
      await other.stop();
    }
  });
});
