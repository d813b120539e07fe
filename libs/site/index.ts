export {
  renderPage,
  renderProduct,
  renderProducts,
  renderStatus,
  robots,
  sitemap,
  type WrittenPage,
} from './render.js';
export type { BuiltScript, SiteAssets, SiteView } from './view.js';
