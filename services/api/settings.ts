import type { Logger } from 'pino';
import type { Tracer } from '#kernel';
import type { LinkWay } from '#site';
import type { ConnectionLimits } from './http/connections.js';

/** How the API behaves. */
export type ApiSettings = {
  /** `health` where the program answers how it is, and nothing else. */
  readonly routes: 'all' | 'health';
  /** Requests one address may make in a minute, beside those that the contract calls uncounted. */
  readonly requestsPerMinute: number;
  readonly connections: ConnectionLimits;
  /** True when it is reached over https only: the refresh cookie is then `Secure`. */
  readonly secure: boolean;
  /** Proxies whose word on where a request comes from is taken; with none, the connection itself says. */
  readonly proxies: readonly string[];
  /** Folder with the built front end; pages are not served without one. */
  readonly webFolder: string | undefined;
  /** Where the public reaches it: the beginning of every absolute address in pages, without a last slash. */
  readonly publicUrl: string;
  /** How somebody gets a link that was asked for. */
  readonly linkWay: LinkWay;
  /** True when clients of Google's Identity Toolkit are served too. */
  readonly identityToolkit: boolean;
  /** Origins whose pages may call what such clients are served. */
  readonly identityToolkitOrigins: readonly string[];
  /** Who has it may see metrics, and health in detail; with none, only who asks from this machine and admins. */
  readonly watchToken: string | undefined;
  readonly logger: Logger;
  /** What records spans of requests; left out where nobody traces them. */
  readonly tracer?: Tracer | undefined;
};

/** Where Nest keeps the settings. */
export const SETTINGS = Symbol('settings');
