import { existsSync, readFileSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { metricNames } from '#kernel';
import {
  follow,
  join,
  requestFunding,
  ROOT,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
});
afterAll(() => lode.stop());

/** Every series with its value. */
async function series(): Promise<ReadonlyMap<string, number>> {
  const { text } = await lode.visitor.call('metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line): [string, number] => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** How much a series grows while something is done. */
async function growth(name: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await series()).get(name) ?? 0;
  await work();
  return ((await series()).get(name) ?? 0) - before;
}

describe('the metrics of the program', () => {
  test('count and time answers by method and route', async () => {
    const ask = () => lode.visitor.call('prices');
    expect(await growth('lode_http_answers_total{method="GET",route="/api/prices",status="200"}', ask)).toBe(
      1,
    );
    expect(await growth('lode_http_duration_seconds_count{method="GET",route="/api/prices"}', ask)).toBe(1);
    expect(
      await growth('lode_http_duration_seconds_count{method="GET",route="/api/accounts/:userId"}', () =>
        ann.api.call('account', { params: { userId: ann.userId } }),
      ),
    ).toBe(1);
  });

  test('have one series for all that is nowhere, whatever it is called', async () => {
    const strange = async () => {
      for (const path of ['/api/a', '/api/b']) await fetch(lode.visitor.address + path, { method: 'PURGE' });
    };
    expect(await growth('lode_http_answers_total{method="other",route="none",status="404"}', strange)).toBe(
      2,
    );
  });

  test('say what is running', async () => {
    const build = [...(await series())].filter(([name]) => name.startsWith('lode_build_info'));
    expect(build).toEqual([[`lode_build_info{version="0.1.0",node="${process.versions.node}"}`, 1]]);
  });

  test('follow the log and its appends', async () => {
    const ask = async () => {
      const { position } = await requestFunding(ann);
      await ann.api.get('me', { headers: { 'Lode-Position': position } });
    };
    expect(await growth('lode_log_position', ask)).toBeGreaterThan(0);
    expect(await growth('lode_append_duration_seconds_count{outcome="done"}', ask)).toBeGreaterThan(0);
  });

  test('know the room on the disk', async () => {
    const [free, all] = ['lode_disk_free_bytes', 'lode_disk_bytes'];
    const told = await series();
    expect(told.get(all)).toBeGreaterThan(1_000_000);
    expect(told.get(free)).toBeGreaterThan(0);
    expect(told.get(free)).toBeLessThanOrEqual(told.get(all) ?? 0);
  });

  test('count live streams while they are open', async () => {
    const stream = await follow(ann.api);
    expect((await series()).get('lode_live_connections')).toBe(1);
    stream.close();
    await stream.ended;
    let open = 1;
    while (open > 0) open = (await series()).get('lode_live_connections') ?? 0;
    expect(open).toBe(0);
  });

  test('count sign-ins that are refused', async () => {
    const wrong = () =>
      lode.visitor.call('signIn', { body: { email: ann.email, password: 'not the password' } });
    expect(await growth('lode_sign_ins_refused_total{code="invalid_credentials"}', wrong)).toBe(1);
  });
});

describe('what an operator can begin with', () => {
  const example = (name: string) => readFileSync(pathOf(ROOT, 'docs/examples', name), 'utf8');
  const annotations = z.object({
    summary: z.string().min(10),
    reason: z.string().min(10),
    runbook: z.string().regex(/^docs\/.*\.md$/),
  });
  const rule = z.object({ alert: z.string(), expr: z.string(), annotations });
  const groups = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) });
  const rules = groups.parse(parse(example('prometheus-rules.yml'))).groups.flatMap((group) => group.rules);
  const panel = z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) });
  const { panels } = z
    .object({ panels: z.array(panel) })
    .parse(JSON.parse(example('grafana-dashboard.json')));
  const asked = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ];

  test.each(asked)('%s asks for what there is: %s', async (_, expr) => {
    const { text } = await lode.visitor.call('metrics');
    const kinds = new Map(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => [name, kind]),
    );
    const names = [...expr.matchAll(/\b(?:lode|process)_\w+/g)].map(([name]) => name);
    expect(names.length > 0 || expr.startsWith('up{')).toBe(true);
    for (const name of names) {
      const base = name.replace(/_bucket$/, '');
      expect([name, kinds.get(base)]).toEqual([
        name,
        name.endsWith('_bucket') ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge',
      ]);
    }
    const labels = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
    for (const label of labels.filter((one) => one !== 'le'))
      expect(text).toMatch(new RegExp(`^lode_\\w+\\{.*\\b${label}="`, 'm'));
  });

  test('the page about watching says of each metric when to look', () => {
    const page = readFileSync(pathOf(ROOT, 'docs/how-to/watch.md'), 'utf8');
    expect(metricNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('every alert has a name of its own, says why, and where it stands what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { annotations: told } of rules)
      expect([told.runbook, existsSync(pathOf(ROOT, told.runbook))]).toEqual([told.runbook, true]);
  });
});
