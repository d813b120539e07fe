// What keeps admins, and whoever has their password or their session, from doing harm.
import { access, api, application, approving, duties, failingAdmins, mail, part, web } from './tests.mjs';

const limits = { screen: '/auth/approval-limits/dashboard' };
const LIMITED = approving('a limit is set, with a reason, and not one that there are too few admins for');
const PENDING = approving('the first approval leaves a request Pending, and a second admin’s confirms it');
const WAITS = approving('an adjustment waits for a second admin, and one rejection closes it');
const approvals = (name) => api('requests/approvals', name);
const changes = (name) => api('settings/changes', name);

const ofDuties = part('Duty', [
  [
    'owner, finance, support and auditor: each route names which of them may, and is tried by each',
    [
      api('access/duties', 'of *: * is among it: *'),
      ['libs/contracts/duties.spec.ts', 'lets an owner do everything, and an auditor look'],
    ],
  ],
  [
    'screens show no act that a duty has not, and the server refuses it',
    [
      duties('support sees people and no act that moves money, and is refused one over HTTP'),
      web('app/admin/duties', 'sees people and invitations, and no way to make one'),
    ],
    { screen: '/auth/User/dashboard/:userId' },
  ],
  [
    'an invitation names the duty, which is there from the first moment',
    [
      duties('the owner invites somebody for a duty, who has it once they have registered'),
      application(
        'admins/rights',
        'has the duty of the invitation from the first moment, also where the registration is cut off',
      ),
    ],
    { screen: '/auth/invitations/dashboard' },
  ],
  [
    'the last owner stays one',
    [
      duties('the owner makes support of them, and can’t stop being the last owner'),
      api('access/duties', 'of the last owner stays, and nobody else keeps an admin out'),
    ],
    { screen: '/auth/admins/dashboard' },
  ],
  [
    'an owner erases an account that is closed to its owner, with a reason',
    [
      duties('the owner erases a blocked customer, and nobody who has money or waits for a decision'),
      api(
        'people/erasure-by-owner',
        'an owner erases somebody who is blocked, with a reason that is kept, and again what was left',
      ),
      api('people/erasure-by-owner', 'an account with money stays, and nobody is nobody'),
      web(
        'app/admin/person',
        'an owner erases a blocked user, whose number is typed, and is told what goes and what stays',
      ),
    ],
    { screen: '/auth/User/dashboard/:userId', adr: 64 },
  ],
]);

const ofTwo = part('Two admins', [
  [
    'nobody decides about their own request, or books on their own account, one by one or in bulk',
    [
      api('requests/own-requests', 'that admin decides nothing, whatever there is: *'),
      api('requests/own-requests', 'that admin books nothing, and another finds no wallet'),
      api('requests/own-requests', 'that admin does neither in bulk'),
    ],
  ],
  [
    'a limit is a setting, unset by default, and none asks for more admins than may decide',
    [LIMITED, approvals('are none until an admin sets them, with a reason')],
    limits,
  ],
  [
    'a request stays Pending beside 1 of 2 approvals, and the last approval confirms it',
    [
      PENDING,
      approvals(
        'the first approval leaves a request Pending, the same admin gives no second, and the next confirms',
      ),
    ],
    { screen: '/auth/transaction/dashboard' },
  ],
  [
    'three who approve at once approve once each, and it is confirmed once',
    [approvals('three who race approve once each, and it is confirmed once')],
  ],
  [
    'one rejection closes',
    [WAITS, approvals('one rejection closes')],
    { screen: '/auth/approvals/dashboard' },
  ],
  [
    'an approval ends after its hours',
    [approvals('an approval is given again, and an adjustment is asked for again')],
  ],
  [
    'an approval counts no more once its admin is suspended or has another duty',
    [
      approvals('an approval of somebody who was suspended since does not count'),
      approvals('an approval of somebody who has another duty since does not count'),
    ],
  ],
  [
    'an adjustment above its limit waits, moves nothing, and is approved by another admin',
    [
      WAITS,
      approving('another adjustment is approved by the second admin, which books it'),
      approvals('waits and moves nothing until another admin approves it'),
    ],
    { screen: '/auth/approvals/dashboard' },
  ],
  [
    'what one admin moved in 24 hours counts, in parts and in bulk',
    [
      approvals('what is split over requests takes as many as the whole, one after the other and at once'),
      approvals('what is split over one bulk takes as many as the whole'),
      approvals('is not got around by sums of requests and adjustments'),
    ],
  ],
  [
    'of two who approve the same change at once one does, and whoever asked does not',
    [
      changes('of many who approve at once, one does, and it is made once'),
      changes('whoever asked approves nothing, and takes it back'),
    ],
  ],
  [
    'every owner is told by mail of what holds for all, and of who is an admin',
    [
      mail('is told every owner when it was changed: what, by whom and why; and no other admin'),
      mail(
        'is told of who is an admin too: who is invited, and an owner of losing the duty, of being kept out and let in',
      ),
    ],
  ],
]);

const ofProof = part('Proof', [
  [
    'money, duties, erasure and exports ask an admin for a proof that is five minutes old at most',
    [
      api('access/admin-step-up', '* asks an admin for a proof of the last five minutes'),
      api(
        'access/admin-step-up',
        'is refused before anything is done, and done when it is asked again with the same key',
      ),
      web(
        'features/step-up/step-up',
        'what needs a fresh proof asks for a code, and goes on with the same key',
      ),
      failingAdmins('is asked to prove who they are, and what they decided then goes on by itself'),
    ],
    { screen: '/auth/transaction/dashboard', adr: 62 },
  ],
  [
    'is a passkey or a code, and the password only of who has neither',
    [
      api('access/admin-step-up', 'is a code where there is an app, and then never the password alone'),
      api(
        'access/admin-step-up',
        'is what a passkey signed for it, and not what it signed for something else',
      ),
    ],
  ],
  [
    'a session of an admin ends hours after the sign-in',
    [
      api(
        'access/admin-step-up',
        'a session of an admin ends hours after the sign-in, however busy it is, and a customer’s goes on',
      ),
      api('access/admin-step-up', 'a session of an admin ends after as many hours as it is set to'),
    ],
  ],
  [
    'what an admin is shown of a person is noted first',
    [access('an admin is given what is one person’s when that can be noted, and only then')],
    { adr: 40 },
  ],
  [
    'are encrypted, and nothing to that person',
    [
      api('people/notes', 'are listed newest first with who wrote them, and the log has none of their words'),
      api('people/notes', 'are nothing to the person they are about'),
    ],
    { adr: 57 },
  ],
  [
    'a customer’s browser never asks for a file that only admins need',
    [
      [
        'web/e2e/wallet.e2e.spec.ts',
        'no page complained, asked another host, or asked for what is an admin’s',
      ],
    ],
  ],
]);

export const adminSafety = [...ofDuties, ...ofTwo, ...ofProof];
