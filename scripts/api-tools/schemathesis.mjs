// Has schemathesis send the built program what its OpenAPI document describes, and what it does not, as an admin and as a
// customer. `.ci/run` installs it into .cache/schemathesis, as requirements.txt has it.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fail, root, run } from '../lib/toolchain.mjs';
import { inFolder } from '../lib/program.mjs';
import { withProgram } from './program.mjs';

const SCHEMATHESIS = join(root, '.cache', 'schemathesis', 'bin', 'schemathesis');
/** Of each of the two runs, which together end before the check of a commit gives them up. */
const SECONDS = 90;
/** What it draws comes in the same order each time. */
const SEED = '20260101';
const PASSWORD = 'a password that nothing guesses';

async function post(address, path, body, token) {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Registers somebody and signs them in. */
async function joined(address, firstname, more = {}) {
  const email = `${firstname.toLowerCase()}@example.net`;
  const person = { firstname, lastname: 'Miller', email, phone: '+41 44 000 00 00', password: PASSWORD };
  await post(address, '/api/auth/register', { ...person, ...more });
  const { accessToken, user } = await post(address, '/api/auth/sign-in', { email, password: PASSWORD });
  return { email, token: accessToken, userId: user.userId };
}

/** Runs it as somebody, with the routes of one person asked for `userId`. */
async function tried(address, who, { email, token }, userId) {
  const asked = [
    'run',
    `${address}/api/openapi.json`,
    '--checks',
    'all',
    '--max-time',
    String(SECONDS),
    '--seed',
    SEED,
    '--no-color',
  ];
  await run(SCHEMATHESIS, ['--config-file', join(import.meta.dirname, 'schemathesis.toml'), ...asked], {
    cwd: import.meta.dirname,
    show: true,
    env: {
      PYTHONPATH: import.meta.dirname,
      SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
      LODE_ADDRESS: address,
      LODE_EMAIL: email,
      LODE_PASSWORD: PASSWORD,
      LODE_TOKEN: token,
      LODE_USER_ID: userId,
    },
  });
  console.log(`ok: schemathesis as ${who}`);
}

await inFolder((folder) =>
  withProgram(folder, async (address, invitation) => {
    const admin = await joined(address, 'Ada', { invitation });
    const ann = await joined(address, 'Ann');
    const amounts = { amounts: { BTC: '1000.00' }, reason: 'For trying things.' };
    await post(address, `/api/accounts/${ann.userId}/adjustments`, amounts, admin.token);
    await tried(address, 'a customer', ann, ann.userId);
    await tried(address, 'an admin', admin, ann.userId);
  }),
).catch(fail);
