import type { z } from 'zod';
import { defaultContent } from './defaults.js';
import { sections, type Content } from './schema.js';

/** Sections as they are stored. */
export type StoredContent = { readonly [section: string]: unknown };

/** The stored sections that the site still knows. One that no longer has the right shape is as good as unset. */
export function knownSections(stored: StoredContent): Partial<Content> {
  const known = Object.entries(sections).flatMap(([name, section]) => {
    if (!Object.hasOwn(stored, name)) return [];
    const parsed = (section as z.ZodType).safeParse(
      name === 'mails' ? withAllMails(stored[name]) : stored[name],
    );
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  return Object.fromEntries(known);
}

/** Mails that the program learned to write since they were stored are as they are by default. */
function withAllMails(stored: unknown): unknown {
  return typeof stored === 'object' && stored !== null ? { ...defaultContent.mails, ...stored } : stored;
}

/** All sections: those that are stored, and the defaults of the rest. */
export function contentInForce(stored: StoredContent): Content {
  return { ...defaultContent, ...knownSections(stored) };
}
