import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagePaths, problem } from '#contracts';
import { dataFolders, quietApi, quietSettings } from '../../lode/testing/index.js';

type Api = Awaited<ReturnType<typeof quietApi>>;
const { newFolder, removeFolders } = dataFolders();
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let api: Api;
beforeAll(async () => {
  const webFolder = newFolder();
  mkdirSync(join(webFolder, 'assets'));
  writeFileSync(join(webFolder, 'index.html'), 'the site');
  writeFileSync(join(webFolder, 'app.html'), 'the app');
  writeFileSync(join(webFolder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(webFolder, 'assets', 'app.js'), '1');
  const ports = {
    identity: {},
    projections: { onChanges: () => () => undefined, onRebuilt: () => () => undefined },
  };
  api = await quietApi({ ports }, { ...quietSettings, webFolder });
});
afterAll(async () => {
  await api.close();
  await removeFolders();
});

async function get(url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: told, body } = await api.inject({ method: 'GET', url, headers });
  return { status: statusCode, type: String(told['content-type']), body };
}

describe('what there is', () => {
  test.each(Object.values(pagePaths).filter((path) => path !== pagePaths.site))(
    'the app answers at %s, whoever asks',
    async (path) => {
      const url = path.replace(':userId', '6b6ef24e-c963-4c05-9566-5a06bded8743');
      for (const headers of [NAVIGATION, { accept: '*/*' }, {}])
        expect(await get(`${url}?status=Pending`, headers)).toEqual({
          status: 200,
          type: 'text/html; charset=utf-8',
          body: 'the app',
        });
    },
  );

  test('the site and files are where they were', async () => {
    expect(await get('/')).toMatchObject({ status: 200, body: 'the site' });
    expect(await get('/favicon.svg')).toMatchObject({ status: 200, body: '<svg/>' });
    expect(await get('/assets/app.js')).toMatchObject({ status: 200, body: '1' });
  });
});

describe('what there is not', () => {
  const nowhere = [
    '/nope',
    '/robots.txt',
    '/favicon.ico',
    '/sitemap.xml',
    '/assets/nope.js',
    '/.well-known/jwks.json',
    '/auth/dashboard/nobody',
    '/fund-request-history/not%20an%20id',
  ];

  test.each(nowhere)('%s is not found, and the app says so to whoever goes there', async (url) => {
    const page = { status: 404, type: 'text/html; charset=utf-8', body: 'the app' };
    expect(await get(url, NAVIGATION)).toEqual(page);
    expect(await get(url, { ...NAVIGATION, 'sec-fetch-mode': 'navigate' })).toEqual(page);
  });

  test.each([...nowhere, '/api/nope', '/files/nope', '/health/nope', '/metrics/nope'])(
    '%s is a problem document for everything else',
    async (url) => {
      const asked = [
        { accept: '*/*' },
        {},
        { accept: 'image/avif,*/*' },
        { ...NAVIGATION, 'sec-fetch-mode': 'cors' },
      ];
      for (const headers of asked) {
        const { status, type, body } = await get(url, headers);
        expect({ status, type }).toEqual({ status: 404, type: 'application/problem+json; charset=utf-8' });
        expect(problem.parse(JSON.parse(body))).toMatchObject({ status: 404, code: 'route_not_found' });
      }
    },
  );

  test('no page takes the place of the API', async () => {
    expect(await get('/api/nope', NAVIGATION)).toMatchObject({
      status: 404,
      type: 'application/problem+json; charset=utf-8',
    });
  });
});
