import { EventExplorer } from './explorer';
import type { Ways } from './inspector';

/** What people decide about money, people and the platform. */
const decisions = [
  'FundingConfirmed',
  'FundingRejected',
  'WithdrawalConfirmed',
  'WithdrawalRejected',
  'TransferConfirmed',
  'TransferRejected',
  'RequestApproved',
  'AdjustmentProposed',
  'AdjustmentApproved',
  'AdjustmentRejected',
  'WalletCredited',
  'WalletDebited',
  'AccountSuspended',
  'AccountActivated',
  'BalanceWrittenOff',
  'BonusStopped',
  'BonusCycleRestarted',
  'PersonForgotten',
  'AdminSuspended',
  'AdminActivated',
  'AdminRemoved',
  'AdminDutyChanged',
  'ChangeAsked',
  'ChangeApproved',
  'ChangeRejected',
  'InvitationIssued',
  'InvitationRevoked',
  'DepositDetailsChanged',
  'DollarRateSet',
  'PricesSet',
  'BonusPolicySet',
  'ContentChanged',
  'AdminAccessSet',
  'ApprovalLimitsSet',
  'ProductCreated',
  'ProductChanged',
  'ProductDeleted',
  'OperationOrdered',
  'ParkedEventDiscarded',
].join();

/** What was refused, what guards accounts and how that changed, and who was shown what. */
const guarded = [
  'SignedIn',
  'SignInRefused',
  'SignInsRefused',
  'AttemptsLockedOut',
  'SessionEnded',
  'SessionsEnded',
  'PasswordChanged',
  'PasswordReset',
  'SecondFactorChanged',
  'TransferPinSet',
  'TransferPinRefused',
  'EmailChangeAsked',
  'EmailChanged',
  'RequestsForbidden',
  'RequestsLimited',
  'PersonRead',
  'ListExported',
].join();

const decisionColumns = ['time', 'type', 'stream', 'actor', 'reason', 'session', 'moves'];
const guardedColumns = ['time', 'type', 'stream', 'actor', 'session'];

/** Who decided what, when, in which session and why. */
export function Activity({ ways }: { readonly ways: Ways }) {
  return (
    <EventExplorer
      ways={ways}
      fixed={{ types: decisions }}
      names={['actor', 'type', 'person', 'requestId', 'from', 'to']}
      atFirst={decisionColumns}
    />
  );
}

/** Sign-ins and their refusals, sessions and factors, and who was shown what of whom. */
export function SecurityEvents({ ways }: { readonly ways: Ways }) {
  return (
    <EventExplorer
      ways={ways}
      fixed={{ types: guarded }}
      names={['type', 'person', 'actor', 'from', 'to']}
      atFirst={guardedColumns}
    />
  );
}
