import { createHash } from 'node:crypto';
import {
  CheckHealth,
  GetContact,
  GetContent,
  GetPasswordPolicy,
  GetProductByName,
  ListProducts,
  textsToAccept,
  type Bus,
} from '#application';
import {
  defaultContent,
  PASSWORD_LENGTH,
  type Contact,
  type Content,
  type ContentPage,
  type SitePage,
} from '#contracts';
import { isLodeError } from '#kernel';
import {
  renderPage,
  renderProduct,
  renderProducts,
  renderStatus,
  robots,
  sitemap,
  type SiteView,
  type WrittenPage,
} from '#site';
import { shared } from '../operations/shared.js';

/** The most products on the page of all, which says so when there are more. */
const PRODUCTS_MAX = 500;
/** What is said while the log is away. */
const UNKNOWN = {
  content: defaultContent,
  contact: { phoneNumber: null, email: null, contactAddress: null },
  hasProducts: false,
  passwordMin: PASSWORD_LENGTH.byDefault,
  toAccept: textsToAccept(defaultContent),
} as const;

/** A text of the site as it is sent, with what tells it from others. */
export type SiteText = { readonly text: string; readonly etag: string };

/** The public site as it is now. Rejects as the queries of its content do, but for the page of the status. */
export type Site = {
  /** The page, of a product by its name; undefined while there is nothing at its address. */
  readonly page: (page: SitePage, name: string) => Promise<SiteText | undefined>;
  readonly robots: () => SiteText;
  readonly sitemap: () => Promise<SiteText>;
};

/** The texts of one state of what admins have set. */
type Written = { readonly view: SiteView; readonly pages: Map<WrittenPage, SiteText | undefined> };

/** Where the site is, and what its pages ask for. */
export type SitePlace = Pick<SiteView, 'publicUrl' | 'linkWay' | 'assets'>;

/** The site of what admins have set: what they have written is made a page once for each state of that. */
export function createSite(bus: Pick<Bus, 'query'>, place: SitePlace): Site {
  let written: Written | undefined;
  const readiness = shared(() => bus.query(new CheckHealth()));
  const withProducts = async (hasProducts: boolean): Promise<Written> => {
    const view = await viewOf(bus, place, { content: await bus.query(new GetContent()), hasProducts });
    if (written === undefined || !isSame(written.view, view)) written = { view, pages: new Map() };
    return written;
  };
  const now = async () => withProducts(await areThereProducts(bus));
  /** What the status is told with: while the log is away with the texts of before, or the defaults. */
  const known = async (): Promise<SiteView> => {
    const state = await now().catch(() => written);
    return state?.view ?? { ...place, ...UNKNOWN };
  };
  return {
    page: async (page, name) => {
      if (page === 'status') return tagged(renderStatus(await known(), (await readiness()).status));
      const state = await now();
      if (page !== 'products' && page !== 'product') return pageOf(state, page);
      const text =
        page === 'products' ? await listOf(bus, state.view) : await productOf(bus, state.view, name);
      return text === undefined ? undefined : tagged(text);
    },
    robots: () => tagged(robots(place)),
    sitemap: async () => {
      const { items } = await shownProducts(bus, PRODUCTS_MAX);
      return tagged(sitemap((await withProducts(items.length > 0)).view, items));
    },
  };
}

/**
 * A page as it would be with these texts, which are not stored; it has no scripts. Undefined while there would be nothing at its
 * address. Rejects as the queries do of what else is on it.
 */
export async function draftOf(
  bus: Pick<Bus, 'query'>,
  place: SitePlace,
  { page, content }: { readonly page: ContentPage; readonly content: Content },
): Promise<string | undefined> {
  const view = await viewOf(bus, place, { content, hasProducts: await areThereProducts(bus) });
  return renderPage(page, { ...view, isDraft: true });
}

/** What pages with these texts are made of. */
async function viewOf(
  bus: Pick<Bus, 'query'>,
  place: SitePlace,
  { content, hasProducts }: Pick<SiteView, 'content' | 'hasProducts'>,
): Promise<SiteView> {
  const contact = await bus.query(new GetContact());
  const { minLength: passwordMin } = await bus.query(new GetPasswordPolicy());
  return { ...place, content, contact, hasProducts, passwordMin, toAccept: textsToAccept(content) };
}

/** While the read models can't be read, the pages are there without them. The site map is not: it would say that products are gone. */
async function areThereProducts(bus: Pick<Bus, 'query'>): Promise<boolean> {
  const page = await shownProducts(bus, 1).catch(() => undefined);
  return page !== undefined && page.items.length > 0;
}

function shownProducts(bus: Pick<Bus, 'query'>, limit: number) {
  return bus.query(new ListProducts('shown', { limit }));
}

async function listOf(bus: Pick<Bus, 'query'>, view: SiteView): Promise<string | undefined> {
  const { items, next } = await shownProducts(bus, PRODUCTS_MAX);
  return renderProducts(view, items, { isAll: next === null });
}

async function productOf(bus: Pick<Bus, 'query'>, view: SiteView, name: string): Promise<string | undefined> {
  try {
    return renderProduct(view, await bus.query(new GetProductByName(name)));
  } catch (error) {
    if (isLodeError(error) && error.code === 'product_not_found') return undefined;
    throw error;
  }
}

function pageOf({ view, pages }: Written, page: WrittenPage): SiteText | undefined {
  if (!pages.has(page)) {
    const text = renderPage(page, view);
    pages.set(page, text === undefined ? undefined : tagged(text));
  }
  return pages.get(page);
}

/** Whether pages of both are the same. The query of the texts gives the same object until they change. */
function isSame(one: SiteView, other: SiteView): boolean {
  const same = (name: keyof Contact) => one.contact[name] === other.contact[name];
  return (
    one.content === other.content &&
    one.hasProducts === other.hasProducts &&
    same('phoneNumber') &&
    same('email') &&
    same('contactAddress')
  );
}

/** Weak, because the same text is sent in several codings. */
function tagged(text: string): SiteText {
  return { text, etag: `W/"${createHash('sha256').update(text).digest('base64url')}"` };
}
