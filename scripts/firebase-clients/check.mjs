// Tries the identity door of the built program with versions of the firebase client: each signs somebody up and in, is
// refused what is wrong, refreshes, changes the password and deletes the account. What they are is installed by
// `npm ci --prefix scripts/firebase-clients`.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inFolder } from '../lib/program.mjs';
import { withProgram } from '../api-tools/program.mjs';
import { fail } from '../lib/toolchain.mjs';

const PASSWORD = 'correct horse battery';
const NEXT = 'another horse battery';

/** The client of a version, as it is for Node. */
function clientOf(version) {
  const folder = join(import.meta.dirname, version);
  const { description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const load = createRequire(join(folder, 'package.json'));
  return { name: description, ...load('@firebase/app'), ...load('@firebase/auth') };
}

const refusal = (work) =>
  work.then(
    () => 'done',
    ({ code }) => code,
  );

/** The way of somebody from signing up to being gone. Throws where an answer is not what this version knows. */
async function walk(client, address) {
  const app = client.initializeApp({ apiKey: 'any', projectId: 'lode' }, randomUUID());
  const auth = client.initializeAuth(app, { persistence: client.inMemoryPersistence });
  client.connectAuthEmulator(auth, address, { disableWarnings: true });
  const email = `ann-${randomUUID()}@example.org`;
  const signIn = (password) => client.signInWithEmailAndPassword(auth, email, password);
  const signUp = () => client.createUserWithEmailAndPassword(auth, email, PASSWORD);

  const { user } = await signUp();
  assert.deepEqual([user.email, user.isAnonymous], [email, false]);
  assert.equal(await refusal(signUp()), 'auth/email-already-in-use');
  await client.signOut(auth);
  assert.match(await refusal(signIn('wrong')), /^auth\/invalid-(?:login-credentials|credential)$/);
  const { user: here } = await signIn(PASSWORD);
  assert.equal(here.uid, user.uid);
  const token = await here.getIdToken();
  assert.notEqual(await here.getIdToken(true), token);
  await here.reload();
  await client.updatePassword(here, NEXT);
  assert.match(await refusal(signIn(PASSWORD)), /^auth\/invalid-(?:login-credentials|credential)$/);
  const { user: again } = await signIn(NEXT);
  await client.reauthenticateWithCredential(again, client.EmailAuthProvider.credential(email, NEXT));
  assert.equal(await refusal(client.signInAnonymously(auth)), 'auth/operation-not-allowed');
  await signIn(NEXT);
  // Versions before 10.2 have no policy.
  if (client.validatePassword !== undefined)
    assert.equal((await client.validatePassword(auth, 'short')).isValid, false);
  await client.deleteUser(auth.currentUser);
  assert.match(await refusal(signIn(NEXT)), /^auth\/invalid-(?:login-credentials|credential)$/);
  await client.deleteApp(app);
}

const { workspaces } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
await inFolder((folder) =>
  withProgram(
    folder,
    async (address) => {
      for (const version of workspaces) {
        const client = clientOf(version);
        await walk(client, address);
        console.log(`ok: ${client.name}`);
      }
      console.log(`${workspaces.length} versions`);
    },
    { LODE_IDENTITY_TOOLKIT: 'true' },
  ),
).catch(fail);
