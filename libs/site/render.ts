import { sitePaths, type ProductView, type SitePage } from '#contracts';
import { about } from './about.js';
import {
  confirmEmail,
  forgotPassword,
  login,
  register,
  registerAdmin,
  resetPassword,
  verifyEmail,
} from './account.js';
import { contactUs } from './contact.js';
import { escaped } from './html.js';
import { landing } from './landing.js';
import { pageOf, writtenPages, type Sheet } from './layout.js';
import { pathOfProduct, productDetail, productList } from './products.js';
import { statusPage, type Readiness } from './status.js';
import { writtenPage } from './texts.js';
import type { SiteView } from './view.js';
import { widgetPage } from './widget.js';

/** The pages that are made of what an operator wrote, and of nothing else. */
export type WrittenPage = Exclude<SitePage, 'products' | 'product' | 'status'>;

const sheets: { readonly [Page in Exclude<WrittenPage, 'widget'>]: (view: SiteView) => Sheet | undefined } = {
  site: landing,
  about,
  contact: contactUs,
  risk: (view) => writtenPage(view, 'risk'),
  fees: (view) => writtenPage(view, 'fees'),
  terms: (view) => writtenPage(view, 'terms'),
  privacy: (view) => writtenPage(view, 'privacy'),
  login,
  register,
  registerAdmin,
  forgotPassword,
  resetPassword,
  verifyEmail,
  confirmEmail,
};

/** A page of the site as the text that is sent; undefined while there is nothing at its address. */
export function renderPage(page: WrittenPage, view: SiteView): string | undefined {
  if (page === 'widget') return widgetPage(view);
  const sheet = sheets[page](view);
  return sheet === undefined ? undefined : pageOf(view, sheet);
}

/** The page of all products, or of the newest, of which it then says that there are more; undefined while there is none. */
export function renderProducts(
  view: SiteView,
  products: readonly ProductView[],
  { isAll }: { readonly isAll: boolean },
): string | undefined {
  return products.length === 0 ? undefined : pageOf(view, productList(view, products, isAll));
}

/** The page of one product. */
export function renderProduct(view: SiteView, product: ProductView): string {
  return pageOf(view, productDetail(view, product));
}

/** The page that says how well the program answers. */
export function renderStatus(view: SiteView, status: Readiness): string {
  return pageOf(view, statusPage(status));
}

/** What is said to those who read sites by machine: the wallet's pages have nothing for them. */
export function robots({ publicUrl }: Pick<SiteView, 'publicUrl'>): string {
  return `User-agent: *\nDisallow: /auth/\nDisallow: /api/\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

/** The pages that are meant to be found, those of the `products` that the page of all lists among them. */
export function sitemap({ publicUrl, content }: SiteView, products: readonly ProductView[]): string {
  const always = [sitePaths.site, sitePaths.about, sitePaths.contact, sitePaths.risk, sitePaths.register];
  const listed = products.length > 0 ? [sitePaths.products, ...products.map(pathOfProduct)] : [];
  const paths = [...always, ...listed, ...writtenPages(content).map(([, path]) => path)];
  const urls = paths.map((path) => `<url><loc>${escaped(`${publicUrl}${path}`)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`;
}
