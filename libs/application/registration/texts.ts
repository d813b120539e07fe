import type { Content } from '#contracts';
import { sha256 } from '#kernel';
import type { AcceptedTexts } from '#ledger';

/** What whoever registers accepts, by the names of the site's sections. */
export const textNames = ['terms', 'privacy'] as const satisfies readonly (keyof AcceptedTexts)[];

/** The SHA-256 (hex) of each text that whoever registers accepts, empty of one that says nothing. */
export function textsToAccept({
  terms,
  privacy,
}: Pick<Content, (typeof textNames)[number]>): Readonly<Required<AcceptedTexts>> {
  const hashOf = ({ text }: { readonly text: string }) => (text === '' ? '' : sha256(text));
  return { terms: hashOf(terms), privacy: hashOf(privacy) };
}
