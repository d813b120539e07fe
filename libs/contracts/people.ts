import { z } from 'zod';
import { secondAnswer } from './changes.js';
import { accepted, instant, listQuery, pageOf, paymentCurrency, reason, role, userId } from './common.js';
import { duties } from './duties.js';
import { atMost, filledLine, typedLine } from './typed.js';
import { securityProof } from './proof.js';
import { display, timeZone } from './display.js';
import { account } from './wallet.js';

/** What an account is when nobody looks into it: its owner's addresses are left out. */
export const person = account.omit({
  duty: true,
  bonusTerms: true,
  moneyOut: true,
  verifyFirst: true,
  notificationsRead: true,
  preferences: true,
  walletAddress: true,
  walletAddresses: true,
  changeWaitHours: true,
  sendable: true,
  withdrawable: true,
});
export type PersonView = z.infer<typeof person>;
export const personPage = pageOf(person);
export type PersonPage = z.infer<typeof personPage>;

/** Characters of a search. */
const SEARCH_MAX = 100;
export const personQuery = listQuery.extend({
  search: z
    .string()
    .max(SEARCH_MAX, atMost(SEARCH_MAX))
    .trim()
    .min(1, 'Please enter what to look for.')
    .optional()
    .meta({
      description:
        'Beginning of an account number, an e-mail, a full name or a last name. The best matches, on one page.',
    }),
  status: z.enum(['active', 'suspended', 'closed']).optional(),
  role: role.optional(),
});

export const statusAnswer = accepted.extend({ status: z.enum(['active', 'suspended']) });

/** Only fields that are given and not empty are saved. The e-mail is what its owner signs in with and stays. */
export const profileBody = z.object({
  firstname: typedLine(100).optional(),
  lastname: typedLine(100).optional(),
  phone: typedLine(40).optional(),
});

const ADDRESS = 'Please enter a wallet address.';
/** What a profile image is named by: the id that its upload answered with. */
export const profileImageBody = z.object({
  fileId: z.string('Failed to upload image.').max(64, 'Failed to upload image.'),
});

/** How its owner wants things shown; what is left out stays as it is. */
export const preferencesBody = z.object({
  language: display.shape.language.optional(),
  timeZone: timeZone.optional(),
  theme: display.shape.theme.optional(),
});

export const walletAddressBody = z.object({
  walletAddress: filledLine(200, ADDRESS).meta({ description: 'Where withdrawals go' }),
  currency: paymentCurrency
    .optional()
    .meta({ description: 'Left out: each currency that has no address of its own' }),
  proof: securityProof.optional(),
});
export const cancelWalletAddressBody = z.object({
  currency: paymentCurrency.optional().meta({ description: 'As it was saved for' }),
});

const duty = z.enum(duties).meta({ description: 'What the admin is there for' });
/** Why somebody is erased: it is kept, in an event that nobody is named in any more. */
export const eraseBody = z.object({ reason });
export const restartBonusBody = z.object({ reason });
export const changeDutyBody = z.object({ duty, reason });
/** Everybody who is an admin. */
export const adminList = z.object({
  admins: z.array(
    z.object({
      userId,
      name: z.string(),
      email: z.string(),
      status: z.enum(['active', 'suspended']),
      duty,
      hasSecondFactor: z.boolean().meta({ description: 'Signing in asks for more than the password' }),
      signedInAt: instant.nullable().meta({
        description: 'When the newest of the admin’s sessions began; null of whoever is signed in nowhere',
      }),
    }),
  ),
});
export type AdminList = z.infer<typeof adminList>;
export const dutyAnswer = secondAnswer.extend({
  userId,
  duty: duty.meta({ description: 'What the admin is there for once it is so' }),
});
