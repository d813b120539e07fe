// Tries the OpenAPI document of the built program with other people's tools: their linter, two generators of types and
// clients, the compiler over what they made, and a generated client that takes money from asking to being shown. What
// they are is installed by `npm ci --prefix scripts/api-tools`.
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, run } from '../lib/toolchain.mjs';
import { inFolder } from '../lib/program.mjs';
import { tool, withProgram } from './program.mjs';

const STRICT = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    types: [],
    outDir: 'built',
    rootDir: '.',
  },
  include: ['*.ts', 'client'],
};

async function tried(what, work) {
  await work();
  console.log(`ok: ${what}`);
}

await inFolder((folder) =>
  withProgram(folder, async (address, invitation) => {
    const answer = await fetch(`${address}/api/openapi.json`);
    const file = join(folder, 'openapi.json');
    writeFileSync(file, await answer.text());
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
    cpSync(join(import.meta.dirname, 'journey.ts'), join(folder, 'journey.ts'));
    symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
    const at = { cwd: folder };
    await tried('the linter', () =>
      tool('redocly', ['lint', file], {
        ...at,
        env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      }),
    );
    await tried('types of openapi-typescript', () =>
      tool('openapi-typescript', [file, '-o', 'types.ts'], at),
    );
    await tried('a client of openapi-ts', () =>
      tool('openapi-ts', ['-f', join(import.meta.dirname, 'client.config.mjs')], at),
    );
    await tried('both compile under strict', () => tool('tsc', ['-p', '.'], at));
    await tried('the client takes money from asking to being shown', () =>
      run(process.execPath, [join(folder, 'built', 'journey.js'), address, invitation], at),
    );
  }),
).catch(fail);
