import type {
  AccessEvent,
  AdminsEvent,
  AllowanceEvent,
  ChangeEvent,
  InvitationEvent,
  MessageEvent,
  OperationsEvent,
  PlatformEvent,
  ProductEvent,
  SecurityEvent,
  SettingsEvent,
} from '#ledger';
import type { OpenedAccountEvent } from '../personal-data.js';

/** Every event of each kind of stream, as handlers get it. */
type StreamEvents = {
  readonly access: AccessEvent;
  readonly admins: AdminsEvent;
  readonly account: OpenedAccountEvent;
  readonly allowance: AllowanceEvent;
  readonly change: ChangeEvent;
  readonly invitation: InvitationEvent;
  readonly message: MessageEvent;
  readonly operations: OperationsEvent;
  readonly platform: PlatformEvent;
  readonly product: ProductEvent;
  readonly security: SecurityEvent;
  readonly settings: SettingsEvent;
};

/** Every event of some kinds of streams: what a read model that follows them has to answer. */
export type EventsOf<Kind extends keyof StreamEvents> = StreamEvents[Kind];
