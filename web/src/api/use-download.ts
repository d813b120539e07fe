import { useState } from 'react';
import type { Route } from '#contracts';
import { callOf, type ArgsOf, type RouteTo } from './contract';
import { readProblem, type ApiError } from './problems';
import { SessionOver } from './session-client';
import { useSessionClient } from './session-context';

/** Takes a list away as CSV, with the person's token; gives why not when that fails. */
export function useDownload() {
  const session = useSessionClient();
  const [isUnderWay, setUnderWay] = useState(false);
  const download = async <Of extends Route>(
    route: RouteTo<Of>,
    args: ArgsOf<Of>,
    name: string,
  ): Promise<ApiError | undefined> => {
    setUnderWay(true);
    try {
      const response = await session.fetch(callOf(route, args).address, { headers: { accept: 'text/csv' } });
      if (!response.ok) return await readProblem(response);
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
