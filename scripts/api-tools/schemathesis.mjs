// Has schemathesis send the built program what its OpenAPI document describes, and what it does not, as an admin and as a
// customer. `npm run test:all -- schemathesis` installs it into .cache/schemathesis, as requirements.txt has it.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEED as DEFAULT_SEED } from '../check/levels.mjs';
import { fail, root, run } from '../lib/toolchain.mjs';
import { inFolder } from '../lib/program.mjs';
import { withProgram } from './program.mjs';

const SCHEMATHESIS = join(root, '.cache', 'schemathesis', 'bin', 'schemathesis');
/** Requests that it draws for an operation in each phase. */
const EXAMPLES_MAX = 10;
const SEED = process.env.LODE_TEST_SEED ?? DEFAULT_SEED;
/** The live stream. */
const ENDLESS = 'streamChanges';
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

/** What the document describes, as `GET /path`, but for what ends only with its connection. */
async function operationsAt(address) {
  const { paths } = await (await fetch(`${address}/api/openapi.json`)).json();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined && operationId !== ENDLESS)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

/** Runs it as somebody, with the routes of one person asked for `userId`, and fails where it did not come to every route. */
async function tried(address, who, { email, token }, userId, reached) {
  const asked = [
    'run',
    `${address}/api/openapi.json`,
    '--checks',
    'all',
    '--max-examples',
    String(EXAMPLES_MAX),
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
      LODE_REACHED: reached,
    },
  });
  const names = new Set(readFileSync(reached, 'utf8').split('\n'));
  const all = await operationsAt(address);
  const missed = all.filter((name) => !names.has(name));
  if (missed.length > 0) throw new Error(`As ${who} it did not come to ${missed.join(', ')}.`);
  console.log(`ok: schemathesis as ${who}, at ${all.length} operations`);
}

await inFolder((folder) =>
  withProgram(folder, async (address, invitation) => {
    const admin = await joined(address, 'Ada', { invitation });
    const ann = await joined(address, 'Ann');
    const amounts = { amounts: { BTC: '1000.00' }, reason: 'For trying things.' };
    await post(address, `/api/accounts/${ann.userId}/adjustments`, amounts, admin.token);
    await tried(address, 'a customer', ann, ann.userId, join(folder, 'by-customer'));
    await tried(address, 'an admin', admin, ann.userId, join(folder, 'by-admin'));
  }),
).catch(fail);
