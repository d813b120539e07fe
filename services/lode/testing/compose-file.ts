import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseDocument } from 'yaml';
import { z } from 'zod';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** The text of a file of the repository. */
export function textOf(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

const list = z.array(z.string()).default([]);
const serviceShape = z.object({
  image: z.string(),
  build: z.object({ context: z.literal('.'), target: z.string() }).optional(),
  profiles: list,
  user: z.string().optional(),
  privileged: z.boolean().optional(),
  read_only: z.boolean().optional(),
  cap_drop: list,
  security_opt: list,
  entrypoint: list,
  command: list,
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.union([z.string(), z.object({ source: z.string(), target: z.string() })])).default([]),
  ports: list,
  volumes: list,
  deploy: z.object({ replicas: z.number() }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  stop_grace_period: z.string().optional(),
  init: z.boolean().optional(),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
});

/** The compose file as it is, and what tests go by. */
export const compose: unknown = parseDocument(textOf('docker-compose.yml'), {
  merge: true,
  uniqueKeys: true,
}).toJS();
export const { services, secrets, volumes } = z
  .object({
    services: z.record(z.string(), serviceShape),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(compose);

export function serviceNamed(name: string): z.infer<typeof serviceShape> {
  const service = services[name];
  if (service === undefined) throw new Error(`there is no service ${name}`);
  return service;
}

/** Makes the secrets in a folder, by the script that does it for the compose file. */
export async function makeSecrets(folder: string): Promise<void> {
  const script = JSON.stringify(join(ROOT, 'scripts', 'docker', 'secrets.mjs'));
  const program = `import { makeSecrets } from ${script}; makeSecrets(process.argv[1]);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, folder]);
}

/**
 * Starts a service as the compose file has it, on this machine: `replaced` has what is otherwise here. Resolves once its
 * health check is content.
 */
export async function startService(
  name: string,
  replaced: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const { entrypoint, command, healthcheck } = serviceNamed(name);
  // Compose writes a $ twice.
  const here = (word: string) =>
    Object.entries(replaced).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      word.replaceAll('$$', '$'),
    );
  const [program = '', ...args] = [...entrypoint, ...command].map(here);
  const child = spawn(program, args, { stdio: 'ignore' });
  const [how, ...words] = healthcheck?.test.map(here) ?? [];
  const [probe = '', ...given] = how === 'CMD-SHELL' ? ['sh', '-c', ...words] : words;
  const isHealthy = () =>
    promisify(execFile)(probe, given).then(
      () => true,
      () => false,
    );
  const end = Date.now() + WAIT_MS;
  while (!(await isHealthy())) {
    if (Date.now() > end) throw new Error(`${program} does not answer`);
    await setTimeout(LOOK_EVERY_MS);
  }
  return child;
}
