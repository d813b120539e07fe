import type { Contact, Content } from '#contracts';

/** The built files that a page of the site asks for, by their paths. */
export type BuiltScript = {
  readonly script: string;
  /** What the script imports, so that it is asked for at once. */
  readonly imports: readonly string[];
  readonly styles: readonly string[];
  /** Fonts of the first words. */
  readonly fonts: readonly string[];
};

/** Of the pages of the site, and of the widget, which is lighter. */
export type SiteAssets = Readonly<Record<'site' | 'widget', BuiltScript>>;

/** How somebody gets a link that was asked for: by mail, from the console of a program that is for this machine alone, or not at all. */
export type LinkWay = 'mail' | 'console' | 'none';

/** What the pages of the site are made of. */
export type SiteView = {
  readonly content: Content;
  readonly contact: Contact;
  /** Whether there are products that visitors see. */
  readonly hasProducts: boolean;
  /** The fewest characters of a password that somebody chooses. */
  readonly passwordMin: number;
  /** The SHA-256 (hex) of each text that whoever registers accepts, empty of one that says nothing. */
  readonly toAccept: { readonly terms: string; readonly privacy: string };
  /** Where the site is reached: the beginning of every absolute address, without a last slash. */
  readonly publicUrl: string;
  readonly linkWay: LinkWay;
  readonly assets: SiteAssets;
  /** True of what is looked at before anybody gets it: it stands as it does once its scripts ran, and has none. */
  readonly isDraft?: true;
};
