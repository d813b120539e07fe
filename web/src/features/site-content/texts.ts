import { contentPages, pagesOfSection, type Content, type ContentBody, type ContentPage } from '#contracts';
import { capitalized } from '../../lib';

export type Section = keyof Content;
/** A part of a section as JSON has it. */
export type Text = string | null | readonly Text[] | { readonly [name: string]: Text };
export type Difference = {
  readonly place: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** What may be left empty, and is then nothing. */
const nullable: ReadonlySet<string> = new Set([
  'since',
  'maximum',
  'image',
  'ltcPrice',
  'linkedin',
  'twitter',
  'instagram',
  'facebook',
  'services',
  'portfolio',
]);
/** Members that name a picture or film. */
const media: ReadonlySet<string> = new Set(['source', 'poster', 'image', 'images']);

const newItems: Readonly<Record<string, Text>> = {
  gallery: { kind: 'image', source: '', alt: '' },
  plans: { name: '', minimum: '', maximum: null, text: '' },
  team: { name: '', role: '', image: null, text: '' },
  testimonials: { name: '', text: '' },
};

export function isMedia(name: string): boolean {
  return media.has(name);
}

/** What an emptied field is stored as. */
export function storedText(name: string, text: string): string | null {
  return text === '' && nullable.has(name) ? null : text;
}

/** What a list of a section gets when one is added. */
export function newItemOf(section: Section, name: string): Text {
  return name === 'items' ? (newItems[section] ?? { title: '', text: '' }) : '';
}

/** A name of the content as words: `whatIsMining` is 'What is mining'. */
export function wordsOf(name: string): string {
  return capitalized(name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** What the pages are called where one is chosen. */
export const pageNames: Readonly<Record<ContentPage, string>> = {
  site: 'Home',
  about: 'About Us',
  contact: 'Contact Us',
  risk: 'Risks',
  fees: 'Fees',
  terms: 'Terms',
  privacy: 'Privacy',
  widget: 'Price widget',
};

/** The place of a member within another, in words: entries of lists are counted from 1. */
function within(place: string, name: string): string {
  return `${place}, ${/^\d+$/.test(name) ? Number(name) + 1 : wordsOf(name).toLowerCase()}`;
}

/** A path within the content in words: `hero.bullets.0` is 'Hero, bullets, 1'. */
export function placeWords(path: string): string {
  const [section = '', ...names] = path.split('.');
  return names.reduce(within, wordsOf(section));
}

/** The texts of a value in their order, which are neither empty nor words of its form. */
export function wordsIn(value: unknown): readonly string[] {
  return textsIn(value, '').map(([, text]) => text);
}

/** Every text with its place, in the order of the section. */
function textsIn(value: unknown, place: string): readonly (readonly [place: string, text: string])[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'string') return [[place, value]];
  if (typeof value !== 'object') return [[place, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, held]) => textsIn(held, within(place, name)));
}

/** What differs between two states of some sections, text by text. */
export function differencesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [old, now] = [before, after].map((all) => new Map(textsIn(all[name], wordsOf(name))));
    const places = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
    return places
      .map((place) => ({ place, before: old?.get(place), after: now?.get(place) }))
      .filter((one) => one.before !== one.after);
  });
}

/** The sections that differ from their defaults. */
type Some = { readonly [Name in Section]?: Content[Name] | undefined };

/** The change that brings a version back: sections that it did not have get their defaults. */
export function restoring(stored: Some, version: Some): ContentBody['content'] {
  const names = [...new Set([...Object.keys(stored), ...Object.keys(version)])] as readonly Section[];
  const changed = names.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(version[name]));
  return Object.fromEntries(changed.map((name) => [name, version[name] ?? null]));
}

/** The pages that have any section of a change, first those on which one would look for one of them. */
export function pagesOf(change: ContentBody['content']): readonly ContentPage[] {
  const names = Object.keys(change) as readonly Section[];
  const first = new Set(names.flatMap((name) => pagesOfSection[name].slice(0, 1)));
  const all = new Set(names.flatMap((name) => pagesOfSection[name]));
  return [...first, ...contentPages.filter((page) => all.has(page) && !first.has(page))];
}
