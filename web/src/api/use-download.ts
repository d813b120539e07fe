import { useState } from 'react';
import type { Route } from '#contracts';
import { callOf, type ArgsOf, type RouteTo } from './contract';
import { needsProof, readProblem, type ApiError } from './problems';
import { SessionOver } from './session-client';
import { useSessionClient } from './session-context';

/** Takes what a route answers with away under a name; gives why not when that fails. */
export type DownloadFile = <Of extends Route>(
  route: RouteTo<Of>,
  args: ArgsOf<Of>,
  name: string,
  accept?: 'text/csv' | 'application/x-ndjson',
) => Promise<ApiError | undefined>;

/** Takes a file away, with the person's token; gives why not when that fails. A list comes as CSV unless it is asked for as NDJSON. */
export function useDownload() {
  const session = useSessionClient();
  const [isUnderWay, setUnderWay] = useState(false);
  const download: DownloadFile = async (route, args, name, accept = 'text/csv') => {
    setUnderWay(true);
    try {
      const { address, method, body } = callOf(route, args);
      const response = await session.fetch(address, {
        method,
        headers:
          body === undefined
            ? { accept }
            : { accept: 'application/json', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) {
        const error = await readProblem(response);
        return needsProof(error) && (await session.prove())
          ? await download(route, args, name, accept)
          : error;
      }
      const url = URL.createObjectURL(await response.blob());
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      URL.revokeObjectURL(url);
      return undefined;
    } catch (error) {
      return { kind: error instanceof SessionOver ? 'session' : 'unreachable' };
    } finally {
      setUnderWay(false);
    }
  };
  return [download, isUnderWay] as const;
}
