import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { describeWhere, until } from '#kernel/testing';
import { everyPart, type Part } from '../parts.js';
import {
  dataFolders,
  deploymentOf,
  killAll,
  printed,
  serverNames,
  settingsMap,
  spawnProgram,
  startServers,
  type Program,
  type Servers,
} from '../testing/index.js';

/* The programs as the manifests for Kubernetes start them, on this machine. */

const TOKEN = 'a-token-of-whoever-watches';
const { newFolder, removeFolders } = dataFolders();
afterAll(removeFolders);

const isHere = redisServer !== undefined && findVersitygw() !== undefined;

describeWhere(isHere, 'the programs of the manifests', 'no redis-server or versitygw', () => {
  let servers: Servers;
  const programs: Program[] = [];
  const addresses = new Map<Part, string>();

  beforeAll(async () => {
    servers = await startServers(serverNames);
    const mounted = join(newFolder(), 'secret');
    mkdirSync(mounted);
    const contents: Readonly<Record<string, string>> = {
      ...servers.env,
      LODE_METRICS_TOKEN: TOKEN,
      LODE_KEY: `first ${Buffer.alloc(32, 1).toString('base64')}\n`,
    };
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(settingsMap().data)) {
      const isFile = name.endsWith('_FILE');
      env[name] = isFile ? join(mounted, basename(value)) : value;
      if (isFile) writeFileSync(env[name], contents[name.replace(/_FILE$/, '')] ?? '');
    }
    await Promise.all(
      everyPart.map(async (part) => {
        const program = spawnProgram({ ...env, LODE_DATA: newFolder() }, { part });
        programs.push(program);
        addresses.set(part, await printed(program, /is ready at (http:\S+) /));
      }),
    );
  });
  afterAll(async () => {
    await killAll(programs);
    await servers.stop();
  });

  test.each(everyPart)(
    'the %s answers its probes, and metrics to the token of whoever watches alone',
    async (part) => {
      const [{ startupProbe, livenessProbe, readinessProbe }] =
        deploymentOf(part).spec.template.spec.containers;
      const ask = (path: string, headers = {}) => fetch(`${addresses.get(part)}${path}`, { headers });
      for (const { httpGet } of [startupProbe, livenessProbe])
        expect((await ask(httpGet.path)).status).toBe(200);
      await until(async () => (await ask(readinessProbe.httpGet.path)).status === 200);
      // Whoever asks from this machine needs no token, unless it is asked for somebody else.
      const forwarded = { 'X-Forwarded-For': '203.0.113.7' };
      expect((await ask('/metrics', forwarded)).status).toBe(401);
      expect((await ask('/metrics', { ...forwarded, Authorization: `Bearer ${TOKEN}.` })).status).toBe(401);
      const metrics = await ask('/metrics', { ...forwarded, Authorization: `Bearer ${TOKEN}` });
      expect([metrics.status, await metrics.text()]).toEqual([
        200,
        expect.stringContaining('lode_build_info'),
      ]);
    },
  );

  test('end when they are told to', async () => {
    for (const { child, ended } of programs) {
      child.kill('SIGTERM');
      expect(await ended).toEqual({ code: 0, signal: null });
    }
  });
});
