import type { ContentSection } from './schema.js';

/** The pages of the public site that are made of its texts, by their names among `sitePaths`. */
export const contentPages = [
  'site',
  'about',
  'contact',
  'risk',
  'fees',
  'terms',
  'privacy',
  'widget',
] as const;
export type ContentPage = (typeof contentPages)[number];

/** Pages with the site's header and footer: all but the widget, which stands in pages of others. */
const framed = contentPages.filter((page) => page !== 'widget');

/** First the pages on which a section has a place of its own, then the others, which name it at their ends. */
function everywhere(...first: readonly ContentPage[]): readonly ContentPage[] {
  return [...first, ...framed.filter((page) => !first.includes(page))];
}

/** On which pages visitors meet each section, the first being where one would look for it; none where only mails have it. */
export const pagesOfSection: { readonly [Section in ContentSection]: readonly ContentPage[] } = {
  company: [...everywhere('site'), 'widget'],
  hero: ['site'],
  whatIsMining: ['site'],
  ease: ['site'],
  steps: ['site', 'about'],
  plans: ['site', 'about'],
  howMiningWorks: ['site'],
  whyMining: ['site'],
  heavyLifting: ['site'],
  goldRush: ['site'],
  gallery: ['site'],
  whoWeAre: ['about'],
  whatWeOffer: ['about'],
  whyChoose: ['about'],
  team: ['about'],
  testimonials: ['about'],
  contact: ['contact'],
  footer: everywhere('site'),
  widget: [...everywhere('site'), 'widget'],
  social: everywhere('site'),
  links: everywhere('site'),
  fees: everywhere('fees'),
  terms: everywhere('terms'),
  privacy: everywhere('privacy'),
  mails: [],
  riskDisclosure: everywhere('risk', 'site'),
};
