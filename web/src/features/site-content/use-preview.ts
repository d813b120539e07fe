import { useEffect, useState } from 'react';
import type { ContentBody, ContentPage, ContentPreview } from '#contracts';
import { asApiError, isSessionOver, type FailureOf, type adminRoutes } from '../../api';
import { usePreviewContentQuery } from './api';

/** What is wrong with a draft: in words, by the path of the text within the content, which is empty for all of it together. */
export type Faults = ReadonlyMap<string, string>;

export type Preview = {
  /** The page as it was written last; undefined before it was. */
  readonly written: ContentPreview | undefined;
  readonly faults: Faults;
  /** True when the service could not be asked. */
  readonly isAway: boolean;
  readonly isBusy: boolean;
};

type Failure = FailureOf<typeof adminRoutes.previewContent>;
type Asked = { readonly page: ContentPage; readonly content: ContentBody['content'] };

/** A page of the site as it would be with these changes, which stays as it was last while they can't be saved. */
export function usePreview({ page, content }: Asked, { isOn }: { readonly isOn: boolean }): Preview {
  const { data, error, isFetching } = usePreviewContentQuery({ page, content }, { skip: !isOn });
  // Until the next answer is there, what the last one said holds.
  const [said, setSaid] = useState<Failure>();
  useEffect(() => {
    if (!isFetching) setSaid(error);
  }, [isFetching, error]);
  const faults = faultsIn(said);
  const isAway = said !== undefined && faults.size === 0 && !isSessionOver(said);
  return { written: data, faults, isAway, isBusy: isFetching };
}

const REFUSED_AT = /^content\.(.+)$/;

function faultsIn(failure: Failure): Faults {
  const known = asApiError(failure);
  if (known?.kind !== 'problem') return new Map();
  const named = known.errors.flatMap(({ path, message }) => {
    const place = REFUSED_AT.exec(path)?.[1];
    return place === undefined ? [] : [[place, message] as const];
  });
  if (named.length > 0) return new Map(named);
  return known.code === 'setting_invalid' ? new Map([['', known.detail]]) : new Map();
}
