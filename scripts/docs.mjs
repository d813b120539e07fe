// Writes the pages of documentation that are made from the built program, its tests and what was measured. With --check it writes nothing:
// it fails when such a page is stale. Either way it fails when something in the documentation isn't so.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prettier from 'prettier';
import { overviewPage, topicPage } from './lib/api-pages.mjs';
import { capacityPage } from './lib/capacity.mjs';
import { complaints, documents } from './lib/doc-checks.mjs';
import { fail, prepare, root } from './lib/toolchain.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

/** What each event says. An event without a sentence stops this script. */
const facts = {
  AccountOpened:
    'A person has an account. `profile` holds name, e-mail and phone, encrypted with the person’s key.',
  FundingRequested: 'A customer says that a payment was made, and shows evidence. Nothing moves.',
  FundingConfirmed: 'An admin found the payment. The wallet and the currency’s balance go up together.',
  FundingRejected: 'An admin refused the request. Nothing moves.',
  WalletCredited: 'An admin credited a wallet by hand.',
  WalletDebited: 'An admin debited a wallet by hand.',
  BalanceWrittenOff:
    'What an account that is closed had left and could not be paid in any currency went back to the operator.',
  ProfileChanged:
    'Name, e-mail, phone, how things are shown or the notifications that were read changed; `profile` is the whole of it, encrypted.',
  ProfileImageChanged: 'A person has another picture.',
  WalletAddressSaved:
    'A customer said where withdrawals in `currency` go, or those in every currency without an address of its own; `address` is encrypted. Where `waits` is there, it is in force from then on, and the one of before until then.',
  WalletAddressCanceled: 'The address that waited is never in force.',
  MoneyOutDelayed:
    'What guards the account was changed: no money leaves it before `until`. `why` says what was changed.',
  TermsAccepted:
    'A person accepted the operator’s terms or privacy by registering: the SHA-256 of each text as it was then.',
  EmailVerificationAsked:
    'A new customer is asked to show that the e-mail address is theirs. Without this event it counts as verified.',
  EmailVerified: 'A customer used the link that was sent to the e-mail address: it is theirs.',
  AccountSuspended: 'An admin suspended or blocked the account.',
  AccountActivated: 'An admin let the account in again.',
  PersonForgotten: 'The account is closed for ever; the key of its personal data is destroyed next.',
  WithdrawalRequested:
    'A customer asks to be paid. The amount is set aside, in dollars and in the currency, at the price of the moment.',
  WithdrawalConfirmed:
    'An admin paid. What was set aside leaves the platform. `reference` is what the payment is found by where it was made, as the id of its transaction, encrypted; null where nothing was said.',
  WithdrawalRejected: 'An admin refused. What was set aside is available again.',
  TransferRequested:
    'A customer asks for a transfer, to another customer (`receiver`) or to a bank. The amount is set aside; `details` are encrypted.',
  TransferConfirmed:
    'An admin confirmed. What was set aside is in transit to the receiver, or leaves the platform.',
  TransferRejected: 'An admin refused. What was set aside is available again.',
  TransferSettled: 'The receiver has it.',
  TransferReturned: 'The receiver could not take it. It is available to the sender again.',
  TransferReceived: 'What another customer sent was booked.',
  TransferRefused: 'What another customer sent could not be booked; it goes back.',
  BonusCycleStarted: 'The first sign-in began a bonus cycle.',
  BonusCycleRestarted: 'An admin began a new bonus cycle.',
  BonusAccrued: 'The promotional bonus of `days` days was paid, by the policy that the event names.',
  BonusStopped: 'An admin stopped the bonus: all days of the cycle count as paid.',
  ProductCreated:
    'An admin uploaded a product: its price in US dollars, its texts, and the ids of its stored images.',
  ProductChanged:
    'An admin changed a product. `data` has the fields that are other than before, and no others.',
  ProductStockChanged: 'A product went out of stock, or came back.',
  ProductDeleted: 'A product is gone from every page, for good. Its images are swept.',
  PlatformFounded: 'The first start: what belongs to this platform, in whichever store, has this id.',
  ClockAccepted:
    'An operator said that the clock of the server is right. `instant` is what it said, `was` the latest time that was ' +
    'known until then; where it went back, `reason` says why.',
  AdminAdmitted: 'A registration by invitation opened an account: this person may act as an admin.',
  AdminSuspended:
    'An admin may not act as one until it is taken back. Comes before the suspension of the account, and refuses to leave nobody.',
  AdminActivated: 'An admin may act as one again. Comes before the activation of the account.',
  AdminExpected:
    'Somebody registers by an invitation: `duty` is what they will be there for once their account is open. They are no admin yet; of an owner it is not written.',
  AdminDutyChanged:
    'An owner made something else of an admin: `duty` is what they are there for from then on. Refused where it would leave no owner.',
  AdminRemoved: 'An admin is to be forgotten, and is none any more, for ever. Comes before the erasure.',
  StoresAccepted:
    'An operator had Lode go on with a log or identities that were not as they had been: `wrong` says what did not fit, `was` and ' +
    '`found` where the log ended and how often identities had been changed.',
  SignInsRefused: 'Passwords that were wrong, or of nobody, so often from one network in a minute.',
  RequestsForbidden:
    'What somebody may not do, by role or because it is another’s, was asked for so often in a minute.',
  RequestsLimited: 'More was asked for than a limit gives, so often in a minute.',
  AttemptsLockedOut: 'Guessing was refused unlooked at: too many wrong passwords or transfer pins before.',
  ListExported:
    'A list was given as a file. Written before it is given; repeats in the minute are one more event, with their number.',
  PersonRead:
    'An admin was shown what is the person’s in `about`. Written before it is shown, repeats as those of a list.',
  OperationOrdered:
    'An admin ordered something of the program: `operation` says what, `about` of which read model or job. Written before it is done; what came of it is not in it.',
  InvitationIssued:
    'Somebody may become an admin of this `duty`, once, until `expiresAt`. Version 1 had no duty: it made an owner.',
  InvitationAccepted: 'Somebody did.',
  InvitationRevoked:
    'An admin took the invitation back before it made anybody an admin: its link makes nobody one.',
  NoteAdded:
    'An admin noted something about the person. `sealed` holds what, encrypted with the person’s key: it is gone with it.',
  MessageSent:
    'Somebody wrote by the contact form. `sealed` holds all that they wrote, encrypted with the message’s own key, and with ' +
    'the customer’s as well when one sent it.',
  MessageRead: 'An admin read the message.',
  MessageUnread: 'An admin marked the message as not read.',
  MessageForgotten: 'An admin had the message forgotten: its key is destroyed.',
  DepositDetailsChanged:
    'An admin changed where the platform is reached or where deposits go. Holds only the fields that changed; one that is `null` was removed.',
  DollarRateSet: 'An admin set how many units of the payout currency one US dollar buys.',
  PricesSet: 'An admin set prices: US dollars for one unit. Holds only the prices that changed.',
  BonusPolicySet: 'An admin set how the promotional bonus is worked out from now on.',
  ContentChanged:
    'An admin changed sections of the public site. Holds only those; one that is `null` has its default again.',
  AdminAccessSet:
    'An admin said whether admins need a second factor. While they do, an admin who has none can do nothing but set one up.',
  RequestApproved:
    'An admin approved a request that takes several, as the n-th (`given`) of so many (`needed`); it counts `until` then. The last one comes with what confirms the request.',
  AdjustmentProposed:
    'An admin asked for an adjustment by hand that takes several. It moves nothing, and can be approved `until` then.',
  AdjustmentApproved: 'Another admin approved the adjustment. The last approval comes with what it books.',
  AdjustmentRejected: 'An admin turned the adjustment down: nothing moved.',
  ChangeAsked:
    'An admin asked for a change that takes a second one: `part` is what of, `values` what it is to be. Nothing is changed yet, and it can be approved `until` then.',
  ChangeApproved:
    'Another admin approved the change: what follows is an event of what was changed, in the name of this admin and for the reason that it was asked for with.',
  ChangeMade: 'What was approved is made, or was so already: nothing follows from the approval any more.',
  ChangeRejected: 'An admin turned the change down, or took it back.',
  ChangeRefused:
    'What was approved could not be made any more: something else was changed between. `code` says what was in the way.',
  AllowanceUsed:
    'The admin of the stream is about to move so many US dollars, one way or the other, with so many approvals. It counts for 24 hours, whatever becomes of it.',
  ApprovalLimitsSet:
    'An admin said above which US dollars more than one admin has to approve, a currency, and for how many hours an approval counts. Holds all of it.',
  SignedIn:
    'A session began. `client`, here and below, is the address and the program that asked, encrypted. `network` is `new`, and else left out, when its person had signed in before and never from there.',
  SignInRefused:
    'A password was wrong, or right and the account suspended, or a code of the second factor was wrong. At most 20 are recorded in the hour from `since`.',
  SessionEnded:
    'A session ended before its time, and why. One that runs out leaves no event: when it does was known from the start.',
  SessionsEnded: 'All of the person’s sessions ended, but for `except`, and why.',
  PasswordChanged: 'The person has another password.',
  PasswordReset: 'The person has another password, set by a link that was sent by mail.',
  SecondFactorChanged:
    'The second factor was set up or removed, a recovery code was used in its place, or there are new ones; `change` says which.',
  EmailChangeAsked:
    'A link was sent to another e-mail address of the person’s. `emails`, here and below, are the addresses before and after, encrypted.',
  EmailChangeConfirmed:
    'That link was used: the address takes the place of the one before, unless somebody else has it by now. `session` is the one that goes on.',
  EmailChanged:
    'The person has another e-mail address. Until `formerToldUntil` the one of before is told what concerns the account’s safety.',
  EmailChangeFailed:
    'The e-mail address stayed as it was: its owner canceled the change, somebody else had the address, or it was void, as after a new password; `why` says which.',
  TransferPinSet: 'The person has a transfer pin, or another one. Its wrong tries are forgotten.',
  TransferPinRefused: 'A transfer pin was wrong. With no tries left it is locked until it is set anew.',
  ParkedEventDiscarded:
    'An admin decided that a read model goes on without an event that it could not take. The log has the event as before.',
};

const generated = (from) => `<!-- Made by \`npm run docs\` from ${from}. Changes here are lost. -->\n`;

function sentence(table, name) {
  if (table[name] === undefined) throw new Error(`scripts/docs.mjs has no sentence for ${name}.`);
  return table[name];
}

function refuseLeftovers(table, names) {
  const left = Object.keys(table).filter((name) => !names.includes(name));
  if (left.length > 0)
    throw new Error(`scripts/docs.mjs explains what there is no more: ${left.join(', ')}.`);
}

async function errorsPage() {
  const { errorCodes } = await import('../dist/libs/kernel/index.js');
  const { statusOf } = await import('../dist/services/api/http/status.js');
  const { meanings } = await import('../dist/services/api/docs/meanings.js');
  const rows = errorCodes.map((code) => `| \`${code}\` | ${statusOf[code]} | ${meanings[code]} |`);
  return `${generated('`services/api/docs/meanings.ts` and `services/api/http/status.ts`')}
# Error codes

Every refusal is a problem document (RFC 9457, \`application/problem+json\`): \`type\`, \`title\`, \`status\`, \`code\`, \`detail\`, and
\`errors\` when single members of the input are wrong. Programs go by \`code\`, which is never renamed; \`detail\` is for the
person who reads it. \`type\` leads to what stands here, on the server that answered. Which codes a route can answer is in [its reference](api/README.md).

| code | HTTP | when, and what to do |
| --- | --- | --- |
${rows.join('\n')}
`;
}

/** The frozen examples of an aggregate's events, as its spec has them. */
function examplesOf(aggregate) {
  const lines = read(`libs/ledger/${aggregate}/frozen-events.spec.ts`).matchAll(/String\.raw`(\{.*\})`/g);
  return [...lines].map(([, json]) => JSON.parse(json));
}

async function eventsPage() {
  const {
    accessDecider,
    accountDecider,
    adminsDecider,
    allowanceDecider,
    changeDecider,
    invitationDecider,
    messageDecider,
    notesDecider,
    platformDecider,
    productDecider,
    operationsDecider,
    securityDecider,
    settingsDecider,
  } = await import('../dist/libs/ledger/index.js');
  const aggregates = [
    { name: 'account', stream: 'account-{userId}', versions: accountDecider.codecs.versions },
    { name: 'access', stream: 'access-{userId}', versions: accessDecider.codecs.versions },
    { name: 'admins', stream: 'admins', versions: adminsDecider.codecs.versions },
    { name: 'allowance', stream: 'allowance-{userId}', versions: allowanceDecider.codecs.versions },
    { name: 'change', stream: 'change-{changeId}', versions: changeDecider.codecs.versions },
    { name: 'invitation', stream: 'invitation-{invitationId}', versions: invitationDecider.codecs.versions },
    { name: 'product', stream: 'product-{productId}', versions: productDecider.codecs.versions },
    { name: 'message', stream: 'message-{messageId}', versions: messageDecider.codecs.versions },
    { name: 'notes', stream: 'notes-{userId}', versions: notesDecider.codecs.versions },
    { name: 'platform', stream: 'platform', versions: platformDecider.codecs.versions },
    { name: 'operations', stream: 'operations-{month}', versions: operationsDecider.codecs.versions },
    { name: 'security', stream: 'security-{hour}', versions: securityDecider.codecs.versions },
    { name: 'settings', stream: 'settings-global', versions: settingsDecider.codecs.versions },
  ];
  refuseLeftovers(
    facts,
    aggregates.flatMap(({ versions }) => Object.keys(versions)),
  );
  const sections = aggregates.map(({ name, stream, versions }) => {
    const examples = examplesOf(name);
    const events = Object.entries(versions).map(([type, version]) => {
      const example = examples.find((one) => one.type === type && one.version === version);
      if (example === undefined) throw new Error(`There is no frozen example of ${type} ${version}.`);
      const data = JSON.stringify(example.data);
      return `### ${type}\n\nVersion ${version}. ${sentence(facts, type)}\n\n\`\`\`json\n${data}\n\`\`\`\n`;
    });
    return `## Stream \`${stream}\`\n\n${events.join('\n')}`;
  });
  const [first] = examplesOf('account').slice(2);
  return `${generated('the frozen examples in `libs/ledger/*/frozen-events.spec.ts`')}
# Events

The names are storage: an event is never renamed, and a new shape gets a new version. Amounts are decimal texts with all the
currency’s decimals. Below is the \`data\` of an example of each event, from the tests that keep old logs readable. What is
around it is the same for all:

\`\`\`json
${JSON.stringify({ ...first, data: '…' })}
\`\`\`

- \`revision\` counts the events of a stream from 0. \`position\`, the place in the whole log, is added when an event is read.
- \`commandId\` and \`requestHash\` make a repeated command recognisable; \`session\` and \`reason\` are there when there was one.
- \`settings\` is the revision of \`settings-global\` that the prices, the dollar rate or the bonus policy were taken from, -1 before anybody
  had set any. Events of commands that go by none are without it.
- \`chain\` is SHA-256 over the chain of the event before it in the stream and over everything else in this event.

${sections.join('\n')}`;
}

async function commandsPage() {
  const { commands, commonOptions, exitCodes, usageOf, written } =
    await import('../dist/services/lode/cli/index.js');
  const listed = (options) =>
    Object.entries(options).map(([name, { value, summary }]) => `- \`${written(name, value)}\`: ${summary}`);
  const sections = commands.map((command) => {
    const { name, summary, details, options, example, whileRunning } = command;
    const running =
      whileRunning === 'works'
        ? 'It works while Lode runs.'
        : `Lode must not run meanwhile. ${whileRunning.instead}`;
    const parts = [
      summary,
      `\`\`\`\n${usageOf(command)}\n\`\`\``,
      ...details,
      listed(options).join('\n'),
      running,
    ];
    return `## ${name}\n\n${[...parts, `For example: \`lode ${example}\``].filter(Boolean).join('\n\n')}\n`;
  });
  return `${generated('`services/lode/cli/commands.ts`')}
# Commands

\`./lode <command>\` in the folder of the repository, on a fresh clone as well: it installs and builds what changed. In the image it is
\`lode <command>\`, on Windows \`node scripts/lode.mjs <command>\`. \`lode <command> --help\` says what stands here, \`lode --version\` which Lode it is. Options of all commands, which may also stand before its name:

${listed(commonOptions).join('\n')}

With \`--json\` the last thing on standard output is one object on one line, with \`command\` and \`ok\`, and with \`code\` and \`message\`
when the command failed. Progress of long work is shown on standard error, on a terminal only.

| ends with | when |
| --- | --- |
| ${exitCodes.ok} | All is well. |
| ${exitCodes.wrong} | Something is wrong with what was looked at, or the command failed. |
| ${exitCodes.usage} | It was typed wrong, or a setting is. |

${sections.join('\n')}`;
}

const API = 'docs/reference/api';

/** The pages of the HTTP API: an overview, and one for each topic. */
async function apiPages() {
  const contracts = await import('../dist/libs/contracts/index.js');
  const note = generated('`libs/contracts/routes/`');
  return {
    [`${API}/README.md`]: `${note}\n${overviewPage(contracts)}\n`,
    ...Object.fromEntries(
      contracts.topics.map((topic) => [
        `${API}/${topic.name}.md`,
        `${note}\n${topicPage(topic, contracts)}\n`,
      ]),
    ),
  };
}

async function capacity() {
  const { everyHours: tickHours } = (await import('../dist/libs/ledger/index.js')).defaultBonusPolicy;
  const note = generated('`scripts/lib/capacity.mjs` and `docs/explanation/speed.md`');
  return `${note}${capacityPage(read('docs/explanation/speed.md'), { tickHours })}`;
}

/** Every page that is made here, with its text. */
async function pages() {
  return {
    'docs/explanation/capacity.md': await capacity(),
    'docs/reference/commands.md': await commandsPage(),
    'docs/reference/errors.md': await errorsPage(),
    'docs/reference/events.md': await eventsPage(),
    ...(await apiPages()),
  };
}

async function main() {
  const check = process.argv.includes('--check');
  if (!check) await prepare();
  const found = [];
  const made = await pages();
  for (const [page, source] of Object.entries(made)) {
    const options = { ...(await prettier.resolveConfig(join(root, page))), filepath: page };
    const text = await prettier.format(source, options);
    if (existsSync(join(root, page)) && read(page) === text) continue;
    if (check) found.push(`${page} is stale: npm run docs`);
    else writeFileSync(join(root, page), text);
  }
  const left = documents(API).filter((page) => made[page] === undefined);
  found.push(...left.map((page) => `${page} is about a topic that is no more: delete it.`));
  found.push(...(await complaints()));
  for (const complaint of found) console.error(complaint);
  process.exitCode = found.length === 0 ? 0 : 1;
}

main().catch(fail);
