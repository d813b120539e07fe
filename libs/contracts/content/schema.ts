import { z } from 'zod';
import { atMost, typedLine, typedText } from '../typed.js';

/** The most entries that one list of the site has. */
const ITEMS_MAX = 24;
/** The most pictures behind the hero. */
const IMAGES_MAX = 6;

const title = typedLine(160).min(1, 'Please enter a title.');
const text = typedText(4_000);
/** A text that is a page of its own. */
const longText = typedText(12_000).meta({
  description: 'An empty line parts paragraphs; hidden while empty',
});
const label = typedLine(60).min(1, 'Please enter a few words.');
/** What stands on a page: a path on this site. */
const ownSource = z
  .string()
  .trim()
  .max(500, atMost(500))
  .regex(/^\/(?!\/)[^\s"'<>\\]+$/, 'Please enter a path on this site.');
/** As it may be stored: an https address of before, too. Nothing that a browser would run. */
const source = z
  .string()
  .trim()
  .max(500, atMost(500))
  .regex(/^(?:https:\/\/|\/(?!\/))[^\s"'<>\\]+$/, 'Please enter an https address or a path on this site.');
const link = z
  .string()
  .trim()
  .max(500, atMost(500))
  .regex(/^https:\/\/[^\s"'<>\\]+$/, 'Please enter an https address.')
  .nullable()
  .meta({ description: 'Hidden while null' });
/** As `source`, or a mailbox: where somebody who follows a link is led to. */
const place = z
  .string()
  .trim()
  .max(500, atMost(500))
  .regex(
    /^(?:https:\/\/[^/\s]|mailto:[^?\s]+@|\/(?!\/))[^\s"'<>\\`]*$/,
    'Please enter an https or mailto address or a path on this site.',
  )
  .nullable()
  .meta({ description: 'Hidden while null' });
const dollars = z
  .string()
  .trim()
  .regex(/^\d{1,9}$/, 'Please enter whole US dollars.');
const point = z.object({ title, text });
const posterMeta = { description: 'The picture that stands there until a film is played' };
/** A picture or film of the gallery. */
const piece = z.object({
  kind: z.enum(['image', 'video']),
  source,
  poster: source.optional().meta(posterMeta),
  alt: typedLine(200),
});
/** Somebody of the team. */
const member = z.object({ name: label, role: label, image: source.nullable(), text });
/** What a mail says, and what its link is called. */
const mail = z.object({ subject: title, text: text.min(1, 'Please enter a text.') });
const linkMail = mail.extend({ button: label });
const points = z.object({ title, text, items: z.array(point).max(ITEMS_MAX) });

/** Every section of the public site that an operator can write. */
export const sections = {
  company: z.object({
    name: label,
    since: z
      .string()
      .regex(/^(?:19|20)\d{2}$/, 'Please enter a year.')
      .nullable()
      .meta({ description: 'Year of the foundation' }),
  }),
  hero: z.object({
    title,
    bullets: z.array(title).max(6),
    button: label,
    images: z.array(source).max(IMAGES_MAX),
  }),
  whatIsMining: z.object({ title, text, button: label }),
  ease: z.object({ title, text, link: label }),
  steps: points,
  plans: z.object({
    title,
    text,
    items: z
      .array(
        z
          .object({
            name: label,
            minimum: dollars,
            maximum: dollars.nullable().meta({ description: 'null: and more' }),
            text,
          })
          .refine(({ minimum, maximum }) => maximum === null || Number(minimum) <= Number(maximum), {
            path: ['maximum'],
            message: 'Please enter a maximum that is not below the minimum.',
          }),
      )
      .max(ITEMS_MAX),
    note: text.meta({ description: 'That the bonus is promotional and can end' }),
  }),
  howMiningWorks: points,
  whyMining: points,
  heavyLifting: points,
  goldRush: z.object({ title, text, start: label, more: label }),
  gallery: z.object({
    title,
    items: z.array(piece).max(ITEMS_MAX),
  }),
  whoWeAre: z.object({ title, text }),
  whatWeOffer: points,
  whyChoose: points,
  team: z.object({
    title,
    items: z.array(member).max(ITEMS_MAX),
  }),
  testimonials: z.object({
    title,
    items: z.array(z.object({ name: label, text })).max(ITEMS_MAX),
  }),
  contact: z.object({ title, text, formTitle: title }),
  footer: z.object({ tagline: text }),
  widget: z.object({
    title,
    text,
    ltcPrice: z
      .string()
      .trim()
      .regex(/^\d{1,9}(?:\.\d{1,8})?$/, 'Please enter a price in US dollars.')
      .nullable()
      .meta({ description: 'US dollars for one LTC; hidden while null' }),
  }),
  social: z.object({ linkedin: link, twitter: link, instagram: link, facebook: link }),
  links: z.object({ services: place, portfolio: place }),
  fees: z.object({ title, text: longText }),
  terms: z.object({ title, text: longText }),
  privacy: z.object({ title, text: longText }),
  mails: z.object({
    resetPassword: linkMail,
    verifyEmail: linkMail,
    changeEmail: linkMail,
    emailTaken: mail,
    emailChangeAsked: mail,
    emailChanged: mail,
    newNetwork: mail,
    codeRefused: mail,
    passwordChanged: mail,
    addressChanged: mail,
    addressCanceled: mail,
    secondFactorChanged: mail,
    requestConfirmed: mail,
    requestRejected: mail,
    platformChanged: mail,
    changeAsked: mail,
    accountClosed: mail,
  }),
  riskDisclosure: z.object({ title, text: text.min(1, 'Please enter the disclosure.') }),
} as const;

/** All the texts of the public site. */
export const content = z.object(sections);
export type Content = z.infer<typeof content>;
export type ContentSection = keyof Content;

type Changes = {
  [Section in ContentSection]: z.ZodOptional<z.ZodNullable<(typeof sections)[Section]>>;
};

/** The sections as they are written today: what they show is on this site. */
const newSections = {
  ...sections,
  hero: sections.hero.extend({ images: z.array(ownSource).max(IMAGES_MAX) }),
  gallery: sections.gallery.extend({
    items: z
      .array(piece.extend({ source: ownSource, poster: ownSource.optional().meta(posterMeta) }))
      .max(ITEMS_MAX),
  }),
  team: sections.team.extend({
    items: z.array(member.extend({ image: ownSource.nullable() })).max(ITEMS_MAX),
  }),
};

/** Some sections anew; an unknown one is refused. */
export const contentChanges = z.strictObject(
  Object.fromEntries(
    Object.entries(newSections).map(([name, section]) => [name, section.nullable().optional()]),
  ) as unknown as Changes,
);
