import { expect } from '@jest/globals';
import { routes, type RouteName } from '#contracts';
import { until } from '#kernel/testing';
import type { Client } from '../client.js';
import { eventsOfRoute, type Work } from '../work.js';
import type { Others } from './others.js';

/** The commands that no writer sends, with the reason. A new command is sent by one, or is here. */
const LEFT_OUT: Readonly<Partial<Record<RouteName, string>>> = {
  addNote: 'is one event of one stream, as a message is',
  addPasskey: 'as confirmSecondFactor',
  approveAdjustment: 'decides what waits as confirmFunding does, and books as adjustWallet does',
  approveChange: 'is one event of one stream, and what follows has tests of its own',
  askPasskey: 'what it draws is worth nothing without a passkey',
  beginPasskey: 'what it draws is worth nothing before a passkey is made',
  beginSecondFactor: 'what it draws is worth nothing before it is confirmed',
  cancelEmailChange: 'makes a link void, and says so in the log as other acts do',
  cancelRebuild: 'only ends the making of what is made from the log again',
  cancelBackup: 'only ends a copy',
  cancelVerification: 'only ends a look',
  changeDuty: 'is one event of the list of admins, as a suspension is',
  closeAccount: 'is an erasure, which is killed at each of its steps by tests of its own',
  confirmEmailChange: 'takes the link out of a mail; what becomes of it after a kill has tests of its own',
  confirmSecondFactor: 'is one write of one store, whose contract restarts behind it',
  decideRequests: 'sends each decision as confirmFunding and its like are sent',
  discardParked: 'nothing is parked while no event is damaged',
  downloadOwnData: 'gives what there is, and changes nothing but a note in the log of access',
  eraseAccount: 'is an erasure, as closeAccount is',
  finishSignIn: 'opens a session as signing in does',
  makeBackup: 'writes its order as runBonusTick does, and a copy that is cut off is none',
  previewContent: 'changes nothing',
  rejectAdjustment: 'decides what waits as rejectFunding does',
  rejectChange: 'decides what waits as rejectFunding does',
  removeLostSecondFactor: 'as confirmSecondFactor',
  removePasskey: 'as confirmSecondFactor',
  removeSecondFactor: 'as confirmSecondFactor',
  renewRecoveryCodes: 'as confirmSecondFactor',
  replayParked: 'nothing is parked while no event is damaged',
  requestEmailChange: 'changes nothing before the link of its mail is used',
  requestEmailVerification: 'nobody is asked to verify an e-mail address where no mails are sent',
  requestPasswordReset: 'what becomes of a mail after a kill has tests of its own',
  resetPassword: 'takes the link out of such a mail',
  retryReactors: 'writes nothing that they would not write by themselves',
  revokeInvitation: 'is one event of one stream, as the invitation is',
  runJob: 'writes its order as runBonusTick does, and runs what runs by itself',
  setAdminAccess: 'changes the settings as setPrices does, and asks for a second factor',
  setApprovalLimits: 'changes the settings as setPrices does, and asks for several admins',
  stepUp: 'is worth five minutes, and is done again',
  uploadSiteMedia: 'puts a file where uploadEvidence does, which a writer sends',
  verify: 'writes its order as runBonusTick does, and looks',
  verifyEmail: 'takes the link out of a mail',
};

/** A client that notes which routes did what they were asked. */
export function noted(client: Client, done: Set<RouteName>): Client {
  return {
    ...client,
    call: async (name, ask) => {
      const answer = await client.call(name, ask);
      if (answer.status < 300) done.add(name);
      return answer;
    },
    get: (name, ask) =>
      client.get(name, ask).then((given) => {
        done.add(name);
        return given;
      }),
    as: (token, credentials) => noted(client.as(token, credentials), done),
  };
}

/** The commands of the contract that were not done, sorted. */
function missing(done: ReadonlySet<RouteName>): readonly RouteName[] {
  const names = Object.keys(routes).filter((name): name is RouteName => name in routes);
  return names.filter((name) => routes[name].method !== 'GET' && !done.has(name)).toSorted();
}

/** Steps of each writer after the last loss: those whose steps differ from turn to turn take so many. */
const STEPS_MAX = 10;
/** Commands of customers after the last loss, each of which is drawn; the rarest kind is one of fifty. */
const DRAWN_MAX = 2_000;

/** Has the writers do what they have not come to, and checks that every command of the contract was done but those left out. */
export async function checkContract(
  { work, others, done }: { readonly work: Work; readonly others: Others; readonly done: Set<RouteName> },
  visitor: Client,
): Promise<void> {
  const { steps, commands, send } = others;
  const client = noted(visitor, done);
  const leftOut = Object.keys(LEFT_OUT);
  const lacking = () => missing(done).filter((name) => !leftOut.includes(name));
  const isDrawn = () => lacking().every((name) => !(name in eventsOfRoute));
  const end = work.sent.length + DRAWN_MAX;
  if (!isDrawn()) await work.run(client, () => isDrawn() || work.sent.length >= end);
  for (let n = 0; n < STEPS_MAX && lacking().length > 0; n += 1) {
    await Promise.allSettled(Object.values(steps).map((step) => step(client)));
    // What destroys a key is answered once nobody reads beside it, and told to come again until then.
    for (const command of commands.filter(({ answer }) => answer === undefined))
      await until(() => send(client, command));
  }
  expect(new Set(missing(done))).toEqual(new Set(leftOut));
}
