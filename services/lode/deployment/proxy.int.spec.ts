import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWhere, mustRun, until } from '#kernel/testing';
import { freePort } from '#kernel/testing/port';
import { textOf } from '../testing/index.js';

const isHere = mustRun(spawnSync('haproxy', ['-v']).status === 0);
const NAMES = ['one', 'two', 'three'] as const;
const all = NAMES.toSorted().join();
const ACCOUNTS = Array.from({ length: 60 }, (_, n) => `person-${n}`);

/** An API as the proxy sees it: ready or not, and it says which it is. */
type Api = {
  readonly name: string;
  readonly server: Server;
  readonly port: number;
  isReady: boolean;
  isCutOff: boolean;
};

async function startApi(name: string): Promise<Api> {
  const api = { name, isReady: true, isCutOff: false };
  const server = createServer((request, response) => {
    if (request.url === '/health/ready') return response.writeHead(given.isReady ? 200 : 503).end();
    if (given.isCutOff) return request.socket.destroy();
    return response.end(JSON.stringify({ name, from: request.headers['x-forwarded-for'] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const given: Api = Object.assign(api, { server, port: (server.address() as AddressInfo).port });
  return given;
}

/** Whether a request came back without an answer. */
const isCutOff = (error: unknown) => String(error).includes('fetch failed');

/** The proxy's own configuration, with these APIs in the place of Docker's names. */
function configurationOf(port: number, apis: readonly Api[]): string {
  const servers = apis.map((api) => `  server ${api.name} 127.0.0.1:${api.port}`).join('\n');
  return textOf('scripts/docker/haproxy.cfg')
    .replace(/\nresolvers docker\n(?: .*\n)+/, '\n')
    .replaceAll(' resolvers docker init-addr none', '')
    .replaceAll(/^ {2}server-template .*$/gm, servers)
    .replace('bind :3000', `bind 127.0.0.1:${port}`);
}

describeWhere(isHere, 'the proxy of the compose file (HAProxy)', 'haproxy is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-proxy-'));
  const apis: Api[] = [];
  let proxy: ChildProcess;
  let address = '';

  const ask = async (path: string, init?: Parameters<typeof fetch>[1]) => fetch(address + path, init);
  const whoAnswers = async (path: string, init?: Parameters<typeof fetch>[1]) => {
    const answer = await ask(path, init);
    return answer.ok ? ((await answer.json()) as { readonly name: string }).name : String(answer.status);
  };
  const ofAccounts = () => Promise.all(ACCOUNTS.map((id) => whoAnswers(`/api/accounts/${id}/transactions`)));
  const areAll = (answered: readonly string[]) => [...new Set(answered)].toSorted().join() === all;
  /** Which API each account, or whoever else asks, has, each time, with all of them ready: a check that is late may have the proxy leave one out for a while. */
  const settled = async (whoAnswer = ofAccounts): Promise<readonly string[]> => {
    let found: readonly string[] = [];
    await until(async () => {
      const before = found;
      found = await whoAnswer();
      return areAll(found) && found.join() === before.join();
    });
    return found;
  };

  beforeAll(async () => {
    for (const name of NAMES) apis.push(await startApi(name));
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configurationOf(port, apis));
    proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    await until(async () => (await whoAnswers('/').catch(() => '503')) !== '503');
  });

  afterAll(async () => {
    proxy.kill('SIGKILL');
    await once(proxy, 'close');
    for (const { server } of apis) server.closeAllConnections();
    for (const { server } of apis) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('sends what an account asks to one API, and all accounts to all of them', async () => {
    const first = await settled();
    expect(await settled()).toEqual(first);
    await until(async () => areAll(await Promise.all(NAMES.map(() => whoAnswers('/api/me')))));
  });

  test.each(['fund-requests', 'withdrawals', 'transfers'])(
    'sends what a customer asks for to one API, by the token, and what only looks to all: %s',
    async (what) => {
      const path = `/api/${what}`;
      const asked = (token: string, method = 'POST') =>
        whoAnswers(path, {
          method,
          headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': 'k' },
          ...(method === 'POST' ? { body: '{}' } : {}),
        });
      const ofCustomers = () => Promise.all(ACCOUNTS.map((token) => asked(token)));
      const first = await settled(ofCustomers);
      expect(await settled(ofCustomers)).toEqual(first);
      await until(async () => areAll(await Promise.all(NAMES.map(() => asked('one', 'GET')))));
      const strangers = NAMES.map(() => whoAnswers(path, { method: 'POST', body: '{}' }));
      expect(await Promise.all(strangers)).not.toContain('503');
    },
  );

  test('sends the accounts of an API that isn’t ready to the others, and no other account elsewhere', async () => {
    const before = await settled();
    apis[0]!.isReady = false;
    await until(async () => {
      const meanwhile = await ofAccounts();
      return !meanwhile.includes('one') && before.every((name, n) => name === 'one' || name === meanwhile[n]);
    });
    apis[0]!.isReady = true;
    await until(async () => (await ofAccounts()).join() === before.join());
  });

  test('sends again what came back without an answer only where that is harmless, and says itself where it came from', async () => {
    const [id] = (await settled()).flatMap((name, n) => (name === 'two' ? [ACCOUNTS[n]!] : []));
    const path = `/api/accounts/${id}/fund-requests`;
    apis[1]!.isCutOff = true;
    try {
      expect(NAMES.filter((name) => name !== 'two')).toContain(await whoAnswers(path));
      const keyed = { method: 'POST', headers: { 'Idempotency-Key': 'k' }, body: '{}' };
      expect(NAMES.filter((name) => name !== 'two')).toContain(await whoAnswers(path, keyed));
      const bare = () => ask(path, { method: 'POST', body: '{}' });
      await until(() => bare().then(() => false, isCutOff));
    } finally {
      apis[1]!.isCutOff = false;
    }
    const answer = await ask('/api/me', { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    expect(await answer.json()).toMatchObject({ from: '127.0.0.1' });
  });
});
