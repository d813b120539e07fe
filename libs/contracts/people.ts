import { z } from 'zod';
import { accepted, atMost, listQuery, pageOf, reason, role } from './common.js';
import { account } from './wallet.js';

/** What an account is when nobody looks into it: its owner's addresses are left out. */
export const person = account.omit({ walletAddress: true, withdrawable: true });
export type PersonView = z.infer<typeof person>;
export const personPage = pageOf(person);
export type PersonPage = z.infer<typeof personPage>;

/** Characters of a search. */
const SEARCH_MAX = 100;
export const personQuery = listQuery.extend({
  search: z.string().trim().min(1).max(SEARCH_MAX).optional().meta({
    description:
      'Beginning of an account number, an e-mail, a full name or a last name. The best matches, on one page.',
  }),
  status: z.enum(['active', 'suspended', 'closed']).optional(),
  role: role.optional(),
});

export const statusBody = z.object({ reason: reason.optional() });
export const statusAnswer = accepted.extend({ status: z.enum(['active', 'suspended']) });

const own = (max: number) => z.string().trim().max(max, atMost(max)).optional();
/** Only fields that are given and not empty are saved. The e-mail is what its owner signs in with and stays. */
export const profileBody = z.object({ firstname: own(100), lastname: own(100), phone: own(40) });

const ADDRESS = 'Please enter a wallet address.';
/** What a profile image is named by: the id that its upload answered with. */
export const profileImageBody = z.object({
  fileId: z.string('Failed to upload image.').max(64, 'Failed to upload image.'),
});

export const walletAddressBody = z.object({
  walletAddress: z
    .string(ADDRESS)
    .trim()
    .min(1, ADDRESS)
    .max(200, atMost(200))
    .meta({ description: 'Where withdrawals go' }),
});
