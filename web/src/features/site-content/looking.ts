import type { ContentPage } from '#contracts';
import type { Width } from './preview-frame';

/** What of the site is looked at, and how to look at something else. */
export type Looking = {
  /** The pages that there are to choose from; none where no page has what is written. */
  readonly pages: readonly ContentPage[];
  /** Of those the one that is looked at; the first of the site where there are none, on which it can be seen what is wrong. */
  readonly page: ContentPage;
  readonly width: Width;
  readonly set: (change: { readonly page?: ContentPage; readonly width?: Width }) => void;
};

type Values = { readonly page?: string | undefined; readonly width?: string | undefined };
type Given = Pick<Looking, 'pages' | 'set'> & {
  /** Whether there is no room for a desktop beside what is written. */
  readonly isNarrow: boolean;
};

/** What is looked at by what was chosen, where that is there. */
export function lookingBy({ page, width }: Values, { pages, isNarrow, set }: Given): Looking {
  const usual = isNarrow ? 'phone' : 'desktop';
  return {
    pages,
    page: pages.find((one) => one === page) ?? pages[0] ?? 'site',
    width: width === 'phone' || width === 'desktop' ? width : usual,
    set,
  };
}
