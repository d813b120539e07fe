/** Of whom an event of the stream `admins` is. */
type OfPerson = { readonly userId: string };

/**
 * The facts of the stream `admins`: who may act as an admin. They come before what follows from them in the person's own
 * streams and in identity. The names are storage.
 */
export type AdminsEvent =
  | { readonly type: 'AdminAdmitted'; readonly data: OfPerson }
  | { readonly type: 'AdminSuspended'; readonly data: OfPerson }
  | { readonly type: 'AdminActivated'; readonly data: OfPerson }
  /** For ever: whoever is erased, and nobody by that id becomes an admin again. */
  | { readonly type: 'AdminRemoved'; readonly data: OfPerson };
