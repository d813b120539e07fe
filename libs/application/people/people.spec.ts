import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PersonKeys } from '#identity';
import { LodeError } from '#kernel';
import { accountStream } from '#ledger';
import { admin, callerOf, contextOf, createWorld, customer, personalContextOf } from '../testing/index.js';
import {
  ChangeProfile,
  ChangeProfileHandler,
  ChangeProfileImage,
  ChangeProfileImageHandler,
} from './profile.js';
import { SaveWalletAddress, SaveWalletAddressHandler } from './wallet-address.js';

const USER = 'eve';
const NOBODY = 'nobody';
const PROFILE = { firstname: 'Eve', lastname: 'Miller', phone: '1' };

describe('what people say of themselves', () => {
  let world: ReturnType<typeof createWorld>;
  beforeEach(async () => {
    const plain = createWorld();
    const { personKeys } = plain.identity;
    // As with real keys, the same sealed twice is never the same text.
    let sealed = 0;
    const encryptFor: PersonKeys['encryptFor'] = async (userId, data) =>
      (await personKeys.encryptFor(userId, data)) + ' '.repeat((sealed += 1));
    world = { ...plain, identity: { ...plain.identity, personKeys: { ...personKeys, encryptFor } } };
    const profile = await world.identity.personKeys.encryptFor(USER, PROFILE);
    await world.aggregates.accounts.execute(
      accountStream(USER),
      { type: 'OpenAccount', userId: USER, accountNumber: '3012345678', role: 'user', profile },
      contextOf(admin, 'open'),
    );
  });

  const eventsOf = async (userId = USER) =>
    (await world.eventStore.readStream(accountStream(userId), { limit: 100 })).filter(
      ({ type }) => type !== 'AccountOpened',
    );
  const profileNow = async () => {
    const { state } = await world.aggregates.accounts.load(accountStream(USER));
    return state.kind === 'none' ? undefined : world.identity.personKeys.decryptFor(USER, state.profile);
  };
  const changeProfile = (
    key: string,
    change: ChangeProfile['change'],
    {
      userId = USER,
      parts = world,
    }: { userId?: string; parts?: Pick<typeof world, 'aggregates' | 'identity'> } = {},
  ) =>
    new ChangeProfileHandler(parts).execute(
      new ChangeProfile(personalContextOf(customer(userId), key), userId, change),
    );
  const showImage = (key: string, fileId: string, userId = USER) =>
    new ChangeProfileImageHandler(world).execute(
      new ChangeProfileImage(contextOf(customer(userId), key), userId, fileId),
    );
  const saveAddress = (key: string, address: string, userId = USER) =>
    new SaveWalletAddressHandler(world).execute(
      new SaveWalletAddress(
        personalContextOf(customer(userId), key),
        callerOf(userId),
        { password: 'any' },
        address,
      ),
    );

  test('a profile is changed in what is given, and says so by the digest of its own person', async () => {
    await changeProfile('one', { firstname: 'Eva', lastname: '', phone: undefined });
    expect(await profileNow()).toEqual({ ...PROFILE, firstname: 'Eva' });
    const requestHash = await world.identity.personKeys.digestFor(USER, 'one');
    expect(await eventsOf()).toEqual([
      expect.objectContaining({ meta: expect.objectContaining({ requestHash }) }),
    ]);
  });

  test('a profile that is as it was is not written, and a change that comes again is the first one again', async () => {
    await changeProfile('same', { firstname: 'Eve', lastname: '' });
    expect(await eventsOf()).toEqual([]);
    const first = await changeProfile('one', { phone: '2' });
    await changeProfile('two', { phone: '3' });
    expect(await changeProfile('one', { phone: '2' })).toMatchObject({
      position: first.position,
      replayed: true,
    });
    expect(await profileNow()).toMatchObject({ phone: '3' });
    expect(await eventsOf()).toHaveLength(2);
  });

  test('two changes of one profile at once are both made', async () => {
    await Promise.all([changeProfile('one', { firstname: 'Eva' }), changeProfile('two', { phone: '2' })]);
    expect(await profileNow()).toEqual({ ...PROFILE, firstname: 'Eva', phone: '2' });
  });

  test('a change before which others always come is given up after five tries', async () => {
    let tries = 0;
    const execute = async () => {
      tries += 1;
      throw new LodeError('conflict', 'injected');
    };
    const accounts = { ...world.aggregates.accounts, execute };
    const parts = { ...world, aggregates: { ...world.aggregates, accounts } };
    await expect(changeProfile('one', { phone: '2' }, { parts })).rejects.toMatchObject({ code: 'conflict' });
    expect(tries).toBe(5);
  });

  test('a picture is shown once, and again when it is asked for again, also when its file is gone', async () => {
    world.upload('face', USER, 'profile-image');
    world.upload('back', USER, 'profile-image');
    const first = await showImage('one', 'face');
    await showImage('two', 'back');
    world.uploaded.clear();
    expect(await showImage('one', 'face')).toMatchObject({ position: first.position, replayed: true });
    // The one that is shown needs no file to be shown.
    expect(await showImage('three', 'back')).toMatchObject({ replayed: false });
    expect((await eventsOf()).map(({ data }) => data)).toEqual(
      ['face', 'back'].map((fileId) => ({ image: expect.objectContaining({ fileId }) })),
    );
  });

  test.each([
    ['is not there', () => undefined],
    ["is another's", () => world.upload('face', 'bob', 'profile-image')],
    ['was uploaded for something else', () => world.upload('face', USER, 'evidence')],
  ])('a picture that %s is refused, and nothing is written', async (_, upload) => {
    upload();
    await expect(showImage('one', 'face')).rejects.toMatchObject({ code: 'file_not_found' });
    expect(await eventsOf()).toEqual([]);
    // A refusal is not remembered.
    world.upload('face', USER, 'profile-image');
    expect(await showImage('one', 'face')).toMatchObject({ replayed: false });
  });

  test('an address is kept sealed, and the same one again is not written again', async () => {
    const first = await saveAddress('one', 'bc1q');
    expect(await saveAddress('one', 'bc1q')).toMatchObject({ position: first.position, replayed: true });
    await saveAddress('two', 'bc1q');
    await saveAddress('three', 'bc1p');
    const kept = await Promise.all(
      (await eventsOf()).map(({ data }) =>
        world.identity.personKeys.decryptFor(USER, String(data['address'])),
      ),
    );
    expect(kept).toEqual([{ walletAddress: 'bc1q' }, { walletAddress: 'bc1p' }]);
  });

  test('of somebody who has no account nothing is kept', async () => {
    world.upload('face', NOBODY, 'profile-image');
    for (const asked of [
      changeProfile('one', { phone: '2' }, { userId: NOBODY }),
      showImage('two', 'face', NOBODY),
      saveAddress('three', 'bc1q', NOBODY),
    ])
      await expect(asked).rejects.toMatchObject({ code: 'account_not_found' });
    expect(await eventsOf(NOBODY)).toEqual([]);
  });
});
