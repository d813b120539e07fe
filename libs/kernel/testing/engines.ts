import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The engines that Lode can run on, as docker-compose.yml calls them, and as people do. */
const names = { eventstore: 'KurrentDB', mongodb: 'MongoDB', redis: 'Redis', s3: 'versitygw' } as const;

export type EngineName = keyof typeof names;

const compose = new URL('../../../../docker-compose.yml', import.meta.url);
const shape = z.object({ services: z.record(z.string(), z.object({ image: z.string() })) });

/** The engine that tests run on: that of docker-compose.yml, which is the one place that says which image and version. */
export function engineNamed(name: EngineName): { readonly image: string; readonly words: string } {
  const image = shape.parse(parse(readFileSync(compose, 'utf8'), { merge: true })).services[name]?.image;
  const version = /:v?(\d[\d.]*)/.exec(image ?? '')?.[1];
  if (image === undefined || version === undefined)
    throw new Error(`docker-compose.yml has no version of ${name}`);
  return { image, words: `${names[name]} ${version}` };
}

/** What is said where tests want an engine that is not here. */
export function lacking(name: EngineName): string {
  return `no ${engineNamed(name).words}`;
}
