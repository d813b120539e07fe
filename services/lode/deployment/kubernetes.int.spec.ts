import { describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import { routes } from '#contracts';
import { everyPart, refuseLackingServers } from '../parts.js';
import { readSettings } from '../settings.js';
import { STOP_MS } from '../stop.js';
import {
  deploymentOf,
  documents,
  manifests,
  pageOf,
  ROOT,
  serviceNamed,
  settingsMap,
  textOf,
} from '../testing/index.js';

/* The manifests for Kubernetes, as far as they can be tried without a cluster. */

const SECONDS = 1_000;
/** The one that is a setting as a file only, and what may be in it. */
const KEY_FILE = 'LODE_KEY_FILE';
const KEY = `first ${Buffer.alloc(32, 1).toString('base64')}\n`;
/** What the Secret has, by the paths that settings name. */
const secretFiles = Object.entries(settingsMap().data).filter(([name]) => name.endsWith('_FILE'));

/** Where the types of each kind are. */
const homes = new Map([
  ['Deployment', 'apps/v1'],
  ['PodDisruptionBudget', 'policy/v1'],
  ['NetworkPolicy', 'networking/v1'],
  ['Service', 'core/v1'],
  ['ConfigMap', 'core/v1'],
]);

/**
 * What is wrong in documents by the types that are made of the schema of Kubernetes, a member that it doesn't have
 * included; a sentence each.
 */
function complaintsAbout(given: readonly unknown[]): readonly string[] {
  const lines = given.map((one, n) => {
    const { kind } = z.object({ kind: z.string() }).parse(one);
    const type = `import('kubernetes-types/${homes.get(kind)}').${kind}`;
    return `export const _${n}: ${type} & Required<Pick<${type}, 'apiVersion' | 'kind'>> = ${JSON.stringify(one)};`;
  });
  const [name, text] = [join(ROOT, 'manifests.ts'), lines.join('\n')];
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2024) : read(file, ...rest);
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the manifests', () => {
  test('are what Kubernetes takes, by the types of its schema', () => {
    expect(complaintsAbout(documents)).toEqual([]);
    const misspelt = JSON.parse(
      JSON.stringify(documents).replaceAll('"readinessProbe"', '"readynessProbe"'),
    ) as unknown[];
    const older = { ...deploymentOf('api'), apiVersion: 'apps/v1beta1' };
    const complaints = complaintsAbout([...misspelt, older]).join();
    expect(complaints).toMatch(/readynessProbe.* does not exist in type 'Container'/);
    expect(complaints).toContain('"apps/v1"');
  });

  test.each(everyPart)('have two programs that are the %s, of which one at least stays', (part) => {
    const { metadata, spec } = deploymentOf(part);
    const [{ name, command, image }] = spec.template.spec.containers;
    expect([metadata.name, name, spec.replicas]).toEqual([`lode-${part}`, part, 2]);
    expect(command).toEqual(serviceNamed(part).command);
    expect(existsSync(join(ROOT, command.at(-1) ?? ''))).toBe(true);
    const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };
    expect(image.split(':')[1]).toBe(version);
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    const budgets = manifests.flatMap((one) => (one.kind === 'PodDisruptionBudget' ? [one.spec] : []));
    expect(budgets).toContainEqual({
      minAvailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: spec.selector,
    });
  });

  test.each(everyPart)('ask the %s where it listens, by routes that are there', (part) => {
    const [{ ports, startupProbe, livenessProbe, readinessProbe }] =
      deploymentOf(part).spec.template.spec.containers;
    expect(ports).toEqual([{ name: 'http', containerPort: readSettings({}).port }]);
    expect(textOf('Dockerfile')).toContain(`EXPOSE ${ports[0]?.containerPort}\n`);
    for (const { httpGet } of [startupProbe, livenessProbe])
      expect(httpGet).toEqual({ path: routes.healthLive.path, port: 'http' });
    expect(readinessProbe.httpGet).toEqual({ path: routes.healthReady.path, port: 'http' });
  });

  test('lead to the APIs, and to nothing else', () => {
    const services = manifests.flatMap((one) => (one.kind === 'Service' ? [one.spec] : []));
    expect(services).toEqual([
      { selector: deploymentOf('api').spec.selector.matchLabels, ports: [{ targetPort: 'http' }] },
    ]);
  });

  test.each(everyPart)('let nobody reach the %s but the ingress and whoever fetches metrics', (part) => {
    const policies = manifests.flatMap((one) => (one.kind === 'NetworkPolicy' ? [one.spec] : []));
    const { matchLabels } = deploymentOf(part).spec.selector;
    const namespaces = part === 'api' ? ['ingress-nginx', 'monitoring'] : ['monitoring'];
    expect(policies).toContainEqual({
      podSelector: { matchLabels },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: namespaces.map((name) => ({
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
          })),
          ports: [{ protocol: 'TCP', port: 'http' }],
        },
      ],
    });
    expect(policies).toHaveLength(everyPart.length);
  });

  test.each(everyPart)('give the %s the time that it takes to end', (part) => {
    const { containers, terminationGracePeriodSeconds } = deploymentOf(part).spec.template.spec;
    const waits = Number(containers[0].lifecycle?.preStop.exec.command[1] ?? 0);
    expect((terminationGracePeriodSeconds - waits) * SECONDS).toBeGreaterThan(STOP_MS);
    // Requests come until everybody knows that it is about to stop.
    expect(waits > 0).toBe(part === 'api');
  });

  test.each(everyPart)(
    'give the %s no rights that it does not need, and nothing to write to but folders of its own',
    (part) => {
      const { securityContext, containers, volumes, ...pod } = deploymentOf(part).spec.template.spec;
      const [{ securityContext: own, volumeMounts }] = containers;
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1_000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(own).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
      const writable = volumes.filter(({ emptyDir }) => emptyDir !== undefined).map(({ name }) => name);
      expect(volumeMounts.filter(({ name }) => writable.includes(name)).map((one) => one.mountPath)).toEqual([
        '/data',
        '/tmp',
      ]);
      expect(textOf('Dockerfile')).toMatch(/LODE_DATA=\/data$/m);
    },
  );

  test('differ from part to part in what the parts differ in, and in nothing else', () => {
    const [api, ...others] = everyPart.map((part) => {
      const { containers, ...pod } = deploymentOf(part).spec.template.spec;
      const [{ lifecycle: _lifecycle, resources: _resources, ...container }] = containers;
      const same = { ...pod, terminationGracePeriodSeconds: 0, container };
      return JSON.parse(JSON.stringify(same).replaceAll(part, 'part')) as unknown;
    });
    for (const one of others) expect(one).toEqual(api);
  });
});

describe('the settings in the manifests', () => {
  test('are ones that Lode knows, and all that its parts need', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lode-kubernetes-'));
    const files = secretFiles.map(([name, path]) => {
      const file = join(folder, basename(path));
      writeFileSync(file, name === KEY_FILE ? KEY : 'redis://somewhere.example');
      return [name, file] as const;
    });
    const settings = readSettings({ ...settingsMap().data, ...Object.fromEntries(files) });
    for (const name of Object.keys(settingsMap().data))
      expect(settings.sources).toContainEqual(
        expect.objectContaining({
          name: name === KEY_FILE ? name : name.replace(/_FILE$/, ''),
          source: name.endsWith('_FILE') && name !== KEY_FILE ? 'file' : 'environment',
        }),
      );
    for (const part of everyPart) refuseLackingServers(part, settings);
    rmSync(folder, { recursive: true });
  });

  test.each(everyPart)('are those of the %s', (part) => {
    const { containers, volumes } = deploymentOf(part).spec.template.spec;
    const [{ envFrom, volumeMounts }] = containers;
    expect(envFrom).toEqual([{ configMapRef: { name: settingsMap().metadata.name } }]);
    const secret = volumes.find((one) => one.secret !== undefined);
    // For the user of the programs, and for nobody else.
    expect(secret?.secret?.defaultMode).toBe(0o440);
    const mounted = volumeMounts.find(({ name }) => name === secret?.name)?.mountPath;
    for (const [, path] of secretFiles) expect(path.startsWith(`${mounted}/`)).toBe(true);
  });

  test('name no secret, and the page says which there are', () => {
    const page = pageOf('how-to/run-on-kubernetes.md');
    for (const [, path] of secretFiles) expect(page).toContain(`\`${basename(path)}\``);
    for (const name of Object.keys(settingsMap().data))
      if (!name.endsWith('_FILE')) expect(name).not.toMatch(/PASSWORD|SECRET|KEY|TOKEN/);
    expect(JSON.stringify(documents)).not.toContain('"kind":"Secret"');
  });
});
