/** Of whom an event of the stream `admins` is. */
type OfPerson = { readonly userId: string };

/** What an admin is there for: an owner does everything, an auditor looks. The names are storage. */
export type Duty = 'owner' | 'finance' | 'support' | 'auditor';

/**
 * The facts of the stream `admins`: who may act as an admin. They come before what follows from them in the person's own
 * streams and in identity. The names are storage.
 */
export type AdminsEvent =
  /** Somebody who registers by an invitation, before there is an account: what they will be there for. No admin yet. */
  | { readonly type: 'AdminExpected'; readonly data: OfPerson & { readonly duty: Duty } }
  | { readonly type: 'AdminAdmitted'; readonly data: OfPerson }
  | { readonly type: 'AdminSuspended'; readonly data: OfPerson }
  | { readonly type: 'AdminActivated'; readonly data: OfPerson }
  /** Until then what was expected, or an owner, as every admin from before there were duties. */
  | { readonly type: 'AdminDutyChanged'; readonly data: OfPerson & { readonly duty: Duty } }
  /** For ever: whoever is erased, and nobody by that id becomes an admin again. */
  | { readonly type: 'AdminRemoved'; readonly data: OfPerson };
