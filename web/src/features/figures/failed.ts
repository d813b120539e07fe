import { detailOf, type Failure } from '../../api';

type Asked = {
  readonly data?: unknown;
  readonly error?: Failure | undefined;
  readonly refetch: () => unknown;
};

/** Why there is nothing to draw: what was seen before a failure is drawn on. */
export function failedOf({ data, error, refetch }: Asked) {
  if (data !== undefined || error === undefined) return undefined;
  return { detail: detailOf(error), onRetry: () => void refetch() };
}
