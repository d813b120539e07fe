import { afterEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dockerAnswers, dockerPlaces } from './docker.js';
import { engineNamed, type EngineName } from './engines.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'lode-docker-'));
let server: Server | undefined;
afterEach(async () => {
  if (server === undefined) return;
  server.close();
  await once(server, 'close');
  server = undefined;
});

async function listening(at: string | number, status: number): Promise<Server> {
  server = createServer((_, answer) => answer.writeHead(status).end()).listen(at);
  await once(server, 'listening');
  return server;
}

test('a Docker engine is one that answers, at a socket or a port', async () => {
  const socket = join(folder, 'docker.sock');
  const places = dockerPlaces({ DOCKER_HOST: `unix://${socket}` });
  expect(await dockerAnswers(places)).toBe(false);
  await listening(socket, 200);
  expect(await dockerAnswers(['unix:///nowhere', ...places, 'ssh://elsewhere'])).toBe(true);
});

test.each([
  [200, true],
  [500, false],
])('what answers with %d is one: %s', async (status, expected) => {
  const address = (await listening(0, status)).address();
  const port = typeof address === 'object' ? address?.port : undefined;
  expect(await dockerAnswers([`tcp://127.0.0.1:${port}`])).toBe(expected);
});

test('is looked for at the usual places when nothing names one', () => {
  expect(dockerPlaces({ XDG_RUNTIME_DIR: '/run/user/7' })).toEqual([
    'unix:///var/run/docker.sock',
    'unix:///run/user/7/docker.sock',
    expect.stringMatching(/^unix:\/\/.*\/\.docker\/run\/docker\.sock$/),
  ]);
});

test.each(['eventstore', 'mongodb', 'redis', 's3'] as readonly EngineName[])(
  'the compose file says which %s it is',
  (name) => {
    const { image, words } = engineNamed(name);
    expect(words).toMatch(/^\w+ \d+\.\d+\.\d+$/);
    expect(image).toContain(words.split(' ')[1]);
  },
);

test('a contract suite on a server that is not here is said not to have run, by name and version, and does not count', async () => {
  const args = ['--config', 'jest.config.js', '--json', '-w', '1', 'leases/mongodb/mongodb.server'];
  const env = { ...process.env, MONGODB_URL: '', DOCKER_HOST: `unix://${join(folder, 'nobody')}` };
  const { stdout, stderr } = await run(process.execPath, [JEST, ...args], { cwd: ROOT, env });
  const name = `leases contract on ${engineNamed('mongodb').words} (no MONGODB_URL, no Docker)`;
  expect(stderr).toContain(`not run: ${name}\n`);
  const report = JSON.parse(stdout) as {
    readonly numPassedTests: number;
    readonly testResults: readonly {
      readonly assertionResults: readonly { readonly ancestorTitles: string[] }[];
    }[];
  };
  expect(report.numPassedTests).toBe(0);
  const groups = report.testResults.flatMap((one) =>
    one.assertionResults.map((test) => test.ancestorTitles[0]),
  );
  expect(new Set(groups)).toEqual(new Set([name]));
  rmSync(folder, { recursive: true });
});
