import { scales, type Currency } from '#contracts';

/** Every currency that there are amounts in. */
export const currencies = Object.keys(scales).filter(isCurrency);

export function isCurrency(text: string): text is Currency {
  return Object.hasOwn(scales, text);
}
