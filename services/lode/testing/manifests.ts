import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { ROOT, textOf } from './compose-file.js';

/** Where the manifests for Kubernetes are. */
const FOLDER = 'docs/how-to/kubernetes';

const labels = z.record(z.string(), z.string());
const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  failureThreshold: z.number(),
});
const container = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: z
    .object({ preStop: z.object({ exec: z.object({ command: z.tuple([z.literal('sleep'), z.string()]) }) }) })
    .optional(),
  resources: z.object({
    requests: z.record(z.string(), z.string()),
    limits: z.record(z.string(), z.string()),
  }),
  securityContext: z.record(z.string(), z.unknown()),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const deployment = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.number(),
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.record(z.string(), z.unknown()),
        containers: z.tuple([container]),
        volumes: z.array(
          z.object({
            name: z.string(),
            emptyDir: z.object({}).optional(),
            secret: z.object({ secretName: z.string(), defaultMode: z.number() }).optional(),
          }),
        ),
      }),
    }),
  }),
});
const service = z.object({
  kind: z.literal('Service'),
  spec: z.object({ selector: labels, ports: z.array(z.object({ targetPort: z.string() })) }),
});
const budget = z.object({
  kind: z.literal('PodDisruptionBudget'),
  spec: z.object({
    minAvailable: z.number(),
    unhealthyPodEvictionPolicy: z.string(),
    selector: z.object({ matchLabels: labels }),
  }),
});
const policy = z.object({
  kind: z.literal('NetworkPolicy'),
  spec: z.object({
    podSelector: z.object({ matchLabels: labels }),
    policyTypes: z.array(z.string()),
    ingress: z.array(
      z.object({
        from: z.array(z.strictObject({ namespaceSelector: z.object({ matchLabels: labels }) })),
        ports: z.array(z.object({ protocol: z.string(), port: z.string() })),
      }),
    ),
  }),
});
const settings = z.object({
  kind: z.literal('ConfigMap'),
  metadata: z.object({ name: z.string() }),
  data: labels,
});
type Deployment = z.infer<typeof deployment>;

/** The manifests, as they are and as far as tests go by them. */
export const documents: readonly unknown[] = readdirSync(join(ROOT, FOLDER)).flatMap((name) =>
  parseAllDocuments(textOf(join(FOLDER, name)), { uniqueKeys: true }).map((one) => one.toJS() as unknown),
);
export const manifests = z
  .array(z.discriminatedUnion('kind', [deployment, service, budget, policy, settings]))
  .parse(documents);

/** The deployment of a part, by the label that says which it is. */
export function deploymentOf(part: string): Deployment {
  for (const one of manifests)
    if (one.kind === 'Deployment' && one.spec.selector.matchLabels['app.kubernetes.io/component'] === part)
      return one;
  throw new Error(`there is no deployment of the ${part}`);
}

/** What the programs are told. */
export function settingsMap(): z.infer<typeof settings> {
  for (const one of manifests) if (one.kind === 'ConfigMap') return one;
  throw new Error('there is no map of settings');
}
