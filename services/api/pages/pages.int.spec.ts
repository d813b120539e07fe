import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultContent, pagePaths, PDF_FRAME_PATH, problem, sitePaths } from '#contracts';
import { LodeError, logStart, systemClock } from '#kernel';
import { settingsDecider, type Settings } from '#ledger';
import type { ListQuery } from '#read-store';
import { dataFolders, quietApi, quietSettings } from '../../lode/testing/index.js';

type Api = Awaited<ReturnType<typeof quietApi>>;
const { newFolder, removeFolders } = dataFolders();
const defaultSettings = settingsDecider.initial;
/** A product as the read model has it. */
const RIG = {
  id: 'a'.repeat(35),
  shown: 'yes',
  nameKey: 'rig 1',
  productName: 'Rig 1',
  amount: '249.99',
  ownerName: 'Ann',
  description: 'Quiet.',
  title: 'A rig',
  subtitle: 'Small',
  image: 'b',
  ownerImage: 'c',
  recommendedImages: [],
  isActive: true,
  isOutOfStock: false,
  createdAt: '2030-01-01T00:00:00.000Z',
  position: '1',
};
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** What admins have set. */
let settings: Settings = defaultSettings;
/** What there is of products. */
let products: readonly (typeof RIG)[] = [];
/** How often they were listed. */
let lists = 0;
/** Whether the log can't be reached. */
let isAway = false;
const log = <T>(answer: T): Promise<T> =>
  isAway ? Promise.reject(new LodeError('unavailable', 'It is away.')) : Promise.resolve(answer);
let api: Api;
let openApi: (folder?: string) => Promise<Api>;
beforeAll(async () => {
  const webFolder = newFolder();
  mkdirSync(join(webFolder, 'assets'));
  const site = { file: 'assets/site.js', css: ['assets/site.css'], assets: [] };
  writeFileSync(
    join(webFolder, 'manifest.json'),
    JSON.stringify({
      'src/app/site/site.ts': site,
      'src/app/site/widget.ts': site,
      'src/pdf/frame.ts': { file: 'assets/pdf.js', imports: ['_shared.js'] },
      '_shared.js': { file: 'assets/shared.js' },
    }),
  );
  writeFileSync(join(webFolder, 'app.html'), 'the app');
  writeFileSync(join(webFolder, 'favicon.svg'), '<svg/>');
  for (const name of ['app', 'pdf', 'shared']) writeFileSync(join(webFolder, 'assets', `${name}.js`), '1');
  const ports = {
    identity: {},
    eventStore: { head: () => log(logStart) },
    acknowledged: { unseen: () => ({ events: 0, since: undefined }) },
    processes: {
      reactors: () => [],
      jobsCondition: async () => ({ runsJobs: 'no', failure: undefined, unseenMs: 0 }),
    },
    condition: {
      scrub: () => ({ isOurs: false, state: { pass: undefined, last: undefined, checkedAt: {} } }),
      beyond: () => ({ kinds: {}, models: {} }),
      damagedEvents: () => 0,
      head: () => ({ ageMs: 0, failure: undefined }),
      identity: async () => ({ damagedRows: 0, refusal: undefined }),
    },
    hasRoom: () => true,
    storage: { full: () => undefined },
    clock: systemClock,
    readStore: {
      get: async () => undefined,
      list: async (_: string, { index, equals, limit }: ListQuery) => {
        lists += 1;
        const found = products.filter(({ nameKey }) => index === 'shown' || nameKey === equals['nameKey']);
        return found.slice(0, limit);
      },
    },
    projections: {
      onChanges: () => () => undefined,
      onRebuilt: () => () => undefined,
      status: async () => [],
    },
  };
  const aggregates = { settings: { load: () => log({ state: settings, revision: 0 }) } };
  openApi = (folder = webFolder) => quietApi({ ports, aggregates }, { ...quietSettings, webFolder: folder });
  api = await openApi();
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
  const ofSite: readonly string[] = Object.values(sitePaths);
  test.each(Object.values(pagePaths).filter((path) => !ofSite.includes(path)))(
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

  test('files are where they were', async () => {
    expect(await get('/favicon.svg')).toMatchObject({ status: 200, body: '<svg/>' });
    expect(await get('/assets/app.js')).toMatchObject({ status: 200, body: '1' });
  });
});

describe('the document that draws PDFs', () => {
  const headersOf = async (url: string) => (await api.inject({ method: 'GET', url })).headers;

  test('has no origin, runs the script that it names, and may do nothing else', async () => {
    const { headers, body, statusCode } = await api.inject({ method: 'GET', url: PDF_FRAME_PATH });
    expect(statusCode).toBe(200);
    const [, nonce = ''] =
      /<script type="module" crossorigin nonce="([^"]+)" src="\/assets\/pdf\.js">/.exec(body) ?? [];
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'nonce-${nonce}'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts`,
    );
    expect(headers['cache-control']).toBe('no-store');
    expect((await headersOf(PDF_FRAME_PATH))['content-security-policy']).not.toContain(nonce);
  });

  test('is shown by pages of the app alone', async () => {
    expect((await headersOf(pagePaths.transactions))['content-security-policy']).toContain(
      "frame-src 'self'",
    );
    expect((await headersOf(sitePaths.site))['content-security-policy']).toContain("frame-src 'none'");
  });

  test('may load its scripts without an origin, and no other file of the build is for everyone', async () => {
    for (const name of ['pdf', 'shared'])
      expect((await headersOf(`/assets/${name}.js`))['access-control-allow-origin']).toBe('*');
    expect(await headersOf('/assets/app.js')).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('a page of the site', () => {
  const { site, about, contact, risk, fees, terms, privacy } = sitePaths;
  const said = (name: 'fees' | 'terms' | 'privacy') => ({
    [name]: { title: 'Said', text: 'It is said here.' },
  });
  const withContent = (content: Settings['content']) => ({ ...defaultSettings, content });
  afterEach(() => {
    settings = defaultSettings;
  });

  test.each([site, about, contact, risk])('%s is written by the server, whoever asks', async (path) => {
    for (const url of [path, `${path}?x=1`, path.toUpperCase()])
      for (const headers of [NAVIGATION, {}]) {
        const { status, type, body } = await get(url, headers);
        expect({ status, type }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
        expect(body).toContain('<script type="module" src="/assets/site.js">');
      }
  });

  test.each([
    [fees, 'fees'],
    [terms, 'terms'],
    [privacy, 'privacy'],
  ] as const)('%s is there, linked and listed once the operator has written it', async (path, name) => {
    expect((await get(path)).status).toBe(404);
    expect((await get(path, NAVIGATION)).status).toBe(404);
    const linked = async () => (await get(site)).body.includes(`href="${path}"`);
    const listed = async () => (await get('/sitemap.xml')).body.includes(`${path}</loc>`);
    expect([await linked(), await listed()]).toEqual([false, false]);
    settings = withContent(said(name));
    expect((await get(path)).body).toContain('It is said here.');
    expect([await linked(), await listed()]).toEqual([true, true]);
  });

  test('is the same bytes under the same tag until its content changes', async () => {
    const first = await api.inject({ method: 'GET', url: site });
    const again = await api.inject({ method: 'GET', url: site });
    expect([again.body, again.headers.etag]).toEqual([first.body, first.headers.etag]);
    const known = { 'if-none-match': String(first.headers.etag) };
    expect(await api.inject({ method: 'GET', url: site, headers: known })).toMatchObject({
      statusCode: 304,
      body: '',
    });
    settings = withContent({ footer: { tagline: 'Another line.' } });
    const changed = await api.inject({ method: 'GET', url: site, headers: known });
    expect(changed.statusCode).toBe(200);
    expect(changed.body).toContain('Another line.');
    settings = { ...defaultSettings, deposit: { contactAddress: '1 High Street' } };
    expect((await get(contact)).body).toContain('1 High Street');
  });

  test('may run and load what is of this origin only, has no script of its own, and is framed by nobody', async () => {
    const { headers, body } = await api.inject({ method: 'GET', url: site });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|nonce|https?:|\*/);
    expect(body).not.toMatch(/<style|<script(?! type="module" src=)|\son\w+=|\sstyle=/);
  });

  test('of products is there, linked and listed while there is one', async () => {
    const statuses = async () => [(await get('/products')).status, (await get('/products/Rig%201')).status];
    const named = async () => [
      (await get(site)).body.includes('href="/products"'),
      (await get('/sitemap.xml')).body.includes('/products<'),
    ];
    expect([await statuses(), await named()]).toEqual([
      [404, 404],
      [false, false],
    ]);
    products = [RIG];
    try {
      expect([await statuses(), await named()]).toEqual([
        [200, 200],
        [true, true],
      ]);
      expect((await get('/products/RIG%201')).body).toContain('249.99 USD');
      const before = lists;
      expect((await get('/sitemap.xml')).body).toContain('<loc>https://lode.example/products/Rig%201</loc>');
      expect(lists - before).toBe(1);
      for (const url of ['/products/Rig%202', '/products/Rig%201/x', `/products/${'x'.repeat(101)}`])
        expect((await get(url)).status).toBe(404);
    } finally {
      products = [];
    }
  });

  test('of products has all that there are, up to 500, and says when there are more', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...RIG, id: String(at).padStart(35, '0') }));
    const listed = async () => {
      const { body } = await get('/products');
      return [[...body.matchAll(/249\.99 USD/g)].length, body.includes('There are more.')];
    };
    try {
      products = many(101);
      expect(await listed()).toEqual([101, false]);
      products = many(501);
      expect(await listed()).toEqual([500, true]);
      products = [{ ...RIG, productName: '..', nameKey: '..' }];
      expect((await get('/products')).body).toContain('href="/products/..%20"');
      expect((await get('/products/..%20')).body).toContain('<h1>..</h1>');
      for (const url of ['/products', '/products/..%20'])
        expect((await get(url)).body).toContain(defaultContent.riskDisclosure.text);
    } finally {
      products = [];
    }
  });

  test('of the status says that the log is away, with the texts of before or the defaults', async () => {
    settings = withContent({ footer: { tagline: 'A line of ours.' } });
    expect((await get(site)).status).toBe(200);
    const started = await openApi();
    isAway = true;
    try {
      expect((await get(site)).status).toBe(503);
      const { status, body } = await get(sitePaths.status);
      expect(status).toBe(200);
      expect(body).toContain('The service is not available now.');
      expect(body).toContain('A line of ours.');
      const first = await started.inject({ method: 'GET', url: sitePaths.status });
      expect(first.headers['cache-control']).toBe('no-store');
      expect(first.statusCode).toBe(200);
      expect(first.body).toContain('The service is not available now.');
      expect(first.body).toContain(defaultContent.footer.tagline);
    } finally {
      isAway = false;
      await started.close();
    }
  });

  test('is framed by anybody where it is the widget, and then still loads nothing of theirs', async () => {
    const { headers } = await api.inject({ method: 'GET', url: sitePaths.widget });
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(String(headers['content-security-policy'])).toMatch(/frame-ancestors \*$/);
    expect(String(headers['content-security-policy'])).toContain("default-src 'none'; script-src 'self';");
  });

  test('says where it is by the setting, whatever host a request names', async () => {
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    };
    for (const url of [...Object.values(sitePaths).slice(0, 4), '/robots.txt', '/sitemap.xml']) {
      const { body, headers } = await api.inject({ method: 'GET', url, headers: forged });
      expect(body).toContain('https://lode.example');
      expect(`${body}${JSON.stringify(headers)}`).not.toContain('evil');
    }
    expect((await get(site)).body).toContain('<link rel="canonical" href="https://lode.example/" />');
  });
});

describe('what there is not', () => {
  const nowhere = [
    '/nope',
    '/favicon.ico',
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

  test('a page of a site that was not built says so, and is not the app, which would ask for it again', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'app.html'), 'the app');
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ 'app.html': { file: 'assets/app.js' } }));
    const unbuilt = await openApi(folder);
    const at = async (url: string) => unbuilt.inject({ method: 'GET', url, headers: NAVIGATION });
    try {
      for (const url of [sitePaths.login, sitePaths.site, '/REGISTER/']) {
        const { statusCode, body } = await at(url);
        expect(statusCode).toBe(503);
        expect(problem.parse(JSON.parse(body))).toMatchObject({
          code: 'unavailable',
          detail: 'The pages of the site were not built.',
        });
      }
      expect((await at(pagePaths.dashboard)).body).toBe('the app');
    } finally {
      await unbuilt.close();
    }
  });

  test('no page takes the place of the API', async () => {
    expect(await get('/api/nope', NAVIGATION)).toMatchObject({
      status: 404,
      type: 'application/problem+json; charset=utf-8',
    });
  });
});
