export { defaultContent } from './defaults.js';
export { contentInForce, knownSections, type StoredContent } from './in-force.js';
export { contentPages, pagesOfSection, type ContentPage } from './pages.js';
export { content, contentChanges, type Content, type ContentSection } from './schema.js';
