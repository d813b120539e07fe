export {
  renderPage,
  renderProduct,
  renderProducts,
  renderStatus,
  robots,
  sitemap,
  type WrittenPage,
} from './render.js';
export type { BuiltScript, LinkWay, SiteAssets, SiteView } from './view.js';
