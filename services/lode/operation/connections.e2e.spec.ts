import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '#kernel/testing';
import { dataFolders, join, killAll, requestFunding, startProgram, type Program } from '../testing/index.js';

/* Connections that a stranger opens and leaves: what is left for everybody else. */

const programs: Program[] = [];
const sockets: Socket[] = [];
const { newFolder, removeFolders } = dataFolders();
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await killAll(programs);
  await removeFolders();
});

async function start(env: Readonly<Record<string, string>>) {
  const program = await startProgram(newFolder(), env);
  programs.push(program);
  return program;
}

/** A connection from an address of this machine, once it is there; what it is answered can be read. */
async function open(address: string, from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** So many connections, each with the beginning of a request. */
async function halfSent(address: string, count: number, from?: string): Promise<readonly Socket[]> {
  const opened: Socket[] = [];
  for (let n = 0; n < count; n++) {
    const socket = await open(address, from);
    socket.write('GET /api/prices HTTP/1.1\r\nHost: x\r\n');
    opened.push(socket);
  }
  return opened;
}

const ask = 'GET /api/prices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
async function answerTo(socket: Socket): Promise<string> {
  socket.write(ask);
  return text(socket);
}

describe('connections', () => {
  test('beyond as many as one network may have are answered so and closed, and others are served', async () => {
    const { visitor } = await start({ LODE_CONNECTIONS_PER_ADDRESS: '20' });
    await halfSent(visitor.address, 20, '127.0.0.2');
    const refused = await text(await open(visitor.address, '127.0.0.2'));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused).toContain('"code":"rate_limited"');
    expect(refused).toContain('X-Content-Type-Options: nosniff');
    expect(await answerTo(await open(visitor.address, '127.0.0.3'))).toMatch(/^HTTP\/1\.1 200 /);
    expect((await visitor.call('metrics')).text).toContain(
      'lode_connections_refused_total{limit="network"} 1',
    );
    // Those that were closed leave their room to the next.
    sockets.splice(0, 5).forEach((socket) => socket.destroy());
    for (;;) {
      const answer = await answerTo(await open(visitor.address, '127.0.0.2'));
      if (answer.startsWith('HTTP/1.1 200 ')) break;
      expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    }
  });

  test('of a proxy count as nobody', async () => {
    const { visitor } = await start({
      LODE_CONNECTIONS_PER_ADDRESS: '2',
      LODE_PROXIES: '127.0.0.0/30,::1',
    });
    await halfSent(visitor.address, 10, '127.0.0.2');
    expect(await answerTo(await open(visitor.address, '127.0.0.2'))).toMatch(/^HTTP\/1\.1 200 /);
    await halfSent(visitor.address, 2, '127.0.0.9');
    expect(await text(await open(visitor.address, '127.0.0.9'))).toMatch(/^HTTP\/1\.1 429 /);
  });

  test('whose heads do not arrive in the seconds that are set are closed', async () => {
    const patient = await start({ LODE_REQUEST_HEAD_SECONDS: '120' });
    const [early] = await halfSent(patient.visitor.address, 1);
    const hasty = await start({ LODE_REQUEST_HEAD_SECONDS: '1' });
    // Opened later by a whole start, so that with the same seconds for both the other would be closed before.
    const [late] = await halfSent(hasty.visitor.address, 1);
    const refused = await text(late!);
    expect(refused).toMatch(/^HTTP\/1\.1 400 /);
    expect(refused).toContain('The request did not arrive in time.');
    early!.write('Connection: close\r\n\r\n');
    expect(await text(early!)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ['384, when nothing else is set', 384, {}],
    ['as many as are set', 500, { LODE_OWN_DESCRIPTORS: '500' }],
  ])('leave the program the descriptors that it needs itself: %s', async (_, own, env) => {
    const program = await startProgram(newFolder(), env, { descriptors: 600 });
    programs.push(program);
    const { visitor } = program;
    const ann = await join(visitor, 'Ann');
    await halfSent(visitor.address, 400, '127.0.0.2');
    const refused = async () => {
      const { text: metrics } = await visitor.call('metrics');
      const counts = [...metrics.matchAll(/^lode_connections_refused_total\{.+\} (\d+)$/gm)];
      return counts.reduce((sum, [, count]) => sum + Number(count), 0);
    };
    await until(async () => (await refused()) === 400 - (600 - own) / 2);
    await halfSent(visitor.address, 400, '127.0.0.3');
    const { requestId } = await requestFunding(ann);
    expect(requestId).toMatch(/\w/);
  });
});
