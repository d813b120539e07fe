import { LodeError } from '#kernel';

/** Where the bucket is, and the keys to it. */
export type S3Address = {
  /** `https://host:port`, without the keys. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** What stores that are in no region call it. */
const REGION = 'us-east-1';
const BUCKET = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/;

/** What an `S3_URL` says. Refuses with `internal`; no message and no cause has any of its text, for it holds the secret. */
export function parseS3Url(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw unreadable('is no such address');
  const [accessKeyId, secretAccessKey] = [decoded(url.username), decoded(url.password)];
  if (accessKeyId === '' || secretAccessKey === '') throw unreadable('lacks the access key or the secret');
  const bucket = BUCKET.exec(url.pathname)?.[1];
  if (bucket === undefined) throw unreadable('does not name one bucket');
  const others = [...url.searchParams.keys()].filter((name) => name !== 'region');
  if (others.length > 0 || url.hash !== '')
    throw unreadable('has something behind the bucket that is no region');
  const region = url.searchParams.get('region') ?? REGION;
  if (!/^[a-z0-9-]{1,40}$/.test(region)) throw unreadable('has a region that is none');
  return { endpoint: url.origin, bucket, region, accessKeyId, secretAccessKey };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable('has a % in its keys that is to be written as %25');
  }
}

function unreadable(why: string): LodeError {
  const form =
    'https://ACCESS_KEY:SECRET@host:port/bucket?region=us-east-1, with / in the secret written as %2F';
  return new LodeError('internal', `S3_URL ${why}. It looks like ${form}.`);
}
