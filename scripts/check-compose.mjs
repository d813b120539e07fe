// Checks docker-compose.yml: that it has the shape the Compose specification gives the parts we use, and what we promise
// of every engine: a pinned image, a health check, data in named volumes, ports on this machine only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { root } from './lib/toolchain.mjs';

const duration = z.string().regex(/^\d+(?:ms|s|m|h)$/, 'is no duration');

const service = z.strictObject({
  image: z.string().regex(/^[\w./-]+:v?\d+\.\d[\w.-]*$/, 'is not pinned to a version'),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string()).optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/, 'is not bound to this machine only')),
  volumes: z.array(z.string().regex(/^[a-z][a-z0-9-]*:\/\S+$/, 'is not a named volume')).min(1),
  healthcheck: z.strictObject({
    test: z.tuple([z.enum(['CMD', 'CMD-SHELL']), z.string()], z.string()),
    interval: duration,
    timeout: duration,
    retries: z.int().min(1),
  }),
});

const shape = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/),
  services: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), service),
  volumes: z.record(z.string(), z.null()),
});

/** Everything that is wrong with the text of a compose file, a sentence each. */
function complaints(text) {
  const document = parseDocument(text, { uniqueKeys: true });
  if (document.errors.length > 0) return document.errors.map((error) => error.message);
  const parsed = shape.safeParse(document.toJS());
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  }
  const { services, volumes } = parsed.data;
  const used = Object.values(services).flatMap((one) => one.volumes.map((volume) => volume.split(':')[0]));
  const ports = Object.values(services).flatMap((one) => one.ports.map((port) => port.split(':')[1]));
  return [
    ...used.filter((name) => !(name in volumes)).map((name) => `volume ${name} is not declared`),
    ...Object.keys(volumes)
      .filter((name) => !used.includes(name))
      .map((name) => `volume ${name} is not used`),
    ...ports.filter((port, n) => ports.indexOf(port) !== n).map((port) => `port ${port} is taken twice`),
  ];
}

const found = complaints(readFileSync(join(root, 'docker-compose.yml'), 'utf8'));
for (const complaint of found) console.error(`docker-compose.yml: ${complaint}`);
process.exitCode = found.length === 0 ? 0 : 1;
