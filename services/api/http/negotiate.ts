/** Something that a client would take, and how much it would like it: from 0, which is not at all, to 1. */
type Wish = { readonly value: string; readonly weight: number };

const WEIGHT = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i;

/** The wishes of a header such as `Accept`, in its order. What is no wish is passed over (RFC 9110, 12.4.2). */
function wishesIn(header: string): readonly Wish[] {
  return header.split(',').flatMap((part): Wish[] => {
    const [value = '', ...parameters] = part.split(';');
    const named = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
    const weight = named === undefined ? '1' : WEIGHT.exec(named)?.[1];
    if (value.trim() === '' || weight === undefined) return [];
    return [{ value: value.trim().toLowerCase(), weight: Number(weight) }];
  });
}

/**
 * The offers that a client takes by its header, what it wants most first. `closeness` says how closely a wish names an
 * offer, from 0, or that it doesn't.
 */
function wanted<Offer extends string>(
  header: string,
  offers: readonly Offer[],
  closeness: (wish: string, offer: Offer) => number | undefined,
) {
  const wishes = wishesIn(header);
  const taken = offers.flatMap((offer) => {
    const [best] = wishes
      .flatMap(({ value, weight }, place) => {
        const close = closeness(value, offer);
        return close === undefined ? [] : [{ offer, weight, close, place }];
      })
      .toSorted((a, b) => b.close - a.close);
    return best === undefined || best.weight === 0 ? [] : [best];
  });
  return taken.toSorted((a, b) => b.weight - a.weight || b.close - a.close);
}

/** The media type among `offers` that an `Accept` wants most, the earlier among equals; undefined when it takes none. */
export function preferredType<Type extends string>(
  accept: string | undefined,
  offers: readonly Type[],
): Type | undefined {
  const [offered] = offers;
  // What nearly all say.
  if (accept === undefined || accept === '*/*' || accept === offered || accept.trim() === '') return offered;
  const ranked = wanted(accept, offers, (wish, offer) => {
    if (wish === offer) return 2;
    if (wish === `${offer.split('/', 1)[0] ?? ''}/*`) return 1;
    return wish === '*/*' ? 0 : undefined;
  });
  const [first] = ranked;
  const equals = ranked.filter(({ weight, close }) => weight === first?.weight && close === first.close);
  return equals.toSorted((a, b) => a.place - b.place)[0]?.offer;
}

/** The coding that an `Accept-Encoding` wants most, the earlier of `offers` among equals; undefined when it wants none. */
export function preferredCoding<Coding extends string>(
  acceptEncoding: string | undefined,
  offers: readonly Coding[],
): Coding | undefined {
  const [first] = wanted(acceptEncoding ?? '', offers, (wish, offer) => {
    if (wish === offer) return 1;
    return wish === '*' ? 0 : undefined;
  });
  return first?.offer;
}

/** Whether one of the tags of an `If-None-Match` is this one, whether either is weak or not. */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => strong(tag) === strong(etag));
}
