import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createServer, defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const project = fileURLToPath(new URL('..', import.meta.url));

/** Browsers that know `light-dark()` and `oklch()`; the style sheets keep them instead of carrying both schemes twice. */
const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

/** What the server writes in development too, and the built files that it names. */
const SITE =
  '^/(?:$|assets/|pdf-frame$|(?:who-we-are|contact-us|risk|fees|terms|privacy|widget|login|register|auth/register|forgot-password|reset-password|verify-email|confirm-email|status|products(?:/[^/]*)?)/?$)';

/** In development every other page is the signed-in app, as the server has it in production. */
const appPages: Plugin = {
  name: 'lode-app-pages',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const path = request.url?.split('?')[0] ?? '/';
      const isPage = request.headers.accept?.includes('text/html') === true && !path.includes('.');
      if (isPage && !path.startsWith('/@') && !new RegExp(SITE, 'i').test(path)) request.url = '/app.html';
      next();
    });
  },
};

/** The text font of the page's first words is asked for at once; the others wait until something uses them. */
const preloadFonts: Plugin = {
  name: 'lode-preload-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      return Object.keys(bundle ?? {})
        .filter((file) => /geist-latin-wght-normal.*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
          injectTo: 'head' as const,
        }));
    },
  },
};

/** The tables of routes. */
const ROUTES = ['routes', 'admin-routes'].map((name) => `${root}src/api/contract/${name}.ts`);

/**
 * The tables of routes are worked out here, once: what they are made from holds the schema of everything that goes over the
 * wire and their library, which no page needs before it has a form to check.
 */
const routesAsData: Plugin = {
  name: 'lode-routes-as-data',
  apply: 'build',
  async load(id) {
    if (!ROUTES.includes(id)) return null;
    const server = await createServer({
      root,
      configFile: false,
      appType: 'custom',
      server: { middlewareMode: true, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
      ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
    });
    try {
      const tables = Object.entries(await server.ssrLoadModule(id));
      return tables.map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};`).join('\n');
    } finally {
      await server.close();
    }
  },
};

/** The scripts by which pdf.js decodes scans where it may not compile WebAssembly; it asks for them by these names. */
const pdfDecoders: Plugin = {
  name: 'lode-pdf-decoders',
  apply: 'build',
  generateBundle() {
    const folder = `${project}node_modules/pdfjs-dist`;
    const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string };
    for (const name of ['jbig2_nowasm_fallback.js', 'openjpeg_nowasm_fallback.js'])
      this.emitFile({
        type: 'asset',
        fileName: `assets/pdfjs-${version}/${name}`,
        source: readFileSync(`${folder}/wasm/${name}`),
      });
  },
};

/** Below this, in bytes, the headers weigh more than what is saved. */
const COMPRESSED_MIN = 300;

/** Writes a gzip and a Brotli copy beside each file that text compression helps; the server picks one. */
const precompressed: Plugin = {
  name: 'lode-precompressed',
  apply: 'build',
  writeBundle(_options, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
      const file = `${root}dist/${name}`;
      const content = readFileSync(file);
      if (content.length < COMPRESSED_MIN) continue;
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      writeFileSync(`${file}.br`, brotliCompressSync(content));
    }
  },
};

const { version } = JSON.parse(readFileSync(`${project}package.json`, 'utf8')) as { version: string };

export default defineConfig({
  root,
  cacheDir: `${project}.cache/vite`,
  plugins: [appPages, preloadFonts, routesAsData, pdfDecoders, precompressed],
  define: { __LODE_VERSION__: JSON.stringify(version) },
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  css: { modules: { generateScopedName: '[name]-[local]-[hash:base64:4]' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: browsers,
    cssTarget: browsers,
    // The page's policy lets fonts and scripts come from files of this origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        site: `${root}src/app/site/site.ts`,
        widget: `${root}src/app/site/widget.ts`,
        app: `${root}app.html`,
        pdf: `${root}src/pdf/frame.ts`,
      },
      output: {
        // Many small files compress worse than one: what most screens share is one file, and what the site shares with them
        // another, so that a page of the site gets nothing of the app.
        codeSplitting: {
          groups: [
            // What loads a part later: the site does that, too, and gets nothing else by it.
            { name: 'preload', test: /vite\/preload-helper/, priority: 3 },
            { name: 'lib', test: /web\/src\/lib\/(?!use-|index)/, minShareCount: 3, priority: 2 },
            // Dialogs are no part of that: what they are made of is large, and no first screen has one.
            {
              name: 'ui',
              test: /web\/src\/ui\/(?!dialog|data-|menu-button|segments|form|pager)[^.]+\.tsx$/,
              minShareCount: 8,
            },
          ],
        },
      },
      onLog(level, log, report) {
        // Mantine marks its files for a server renderer that isn't here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: {
    fs: { allow: [project] },
    proxy: {
      [SITE]: 'http://localhost:3000',
      '/api': 'http://localhost:3000',
      '/files': 'http://localhost:3000',
      '/image': 'http://localhost:3000',
      '/health': 'http://localhost:3000',
    },
  },
});
