/** Why a sign-in, or a password asked for again, was refused. */
export type RefusalReason = 'password' | 'suspended' | 'second factor' | 'passkey';

/** What became of a second factor. */
export type SecondFactorChange =
  'set up' | 'removed' | 'passkey added' | 'passkey removed' | 'recovery code used' | 'new recovery codes';

/** Why a session ended before its time. */
export type EndReason = 'signed_out' | 'reuse' | 'ended' | 'suspended' | 'password' | 'email' | 'forgotten';

/**
 * Why a change of the e-mail address that was asked for came to nothing: its owner canceled it, somebody else has the address by
 * now, or it was void, as after a new password.
 */
export type EmailChangeFailure = 'canceled' | 'taken' | 'void';

/** A change of the e-mail address: which it is of, and the addresses before and after it, encrypted with the person's key. */
type EmailChangeFact = { readonly changeId: string; readonly emails: string };

/**
 * The facts of one person's stream `access-{userId}`: who came in, who was kept out, what ended. The names are storage.
 * `client` is where a request came from and with what, encrypted with the person's key; a person whose key is destroyed
 * has none.
 */
export type AccessEvent =
  | {
      readonly type: 'SignedIn';
      readonly data: {
        readonly sessionId: string;
        readonly client?: string;
        /** The person had signed in before, and never from there as far as that was remembered. */
        readonly network?: 'new';
      };
    }
  | {
      readonly type: 'SignInRefused';
      readonly data: {
        readonly why: RefusalReason;
        readonly client?: string;
        /** The hour that refusals are counted in began here, and this is so many in it. */
        readonly since: string;
        readonly count: number;
      };
    }
  | {
      readonly type: 'SessionEnded';
      readonly data: { readonly sessionId: string; readonly why: EndReason; readonly client?: string };
    }
  | {
      readonly type: 'SessionsEnded';
      /** All of the person's sessions, but for `except` when it is there. */
      readonly data: { readonly why: EndReason; readonly except?: string };
    }
  | { readonly type: 'PasswordChanged'; readonly data: { readonly client?: string } }
  | { readonly type: 'PasswordReset'; readonly data: { readonly client?: string } }
  | {
      readonly type: 'SecondFactorChanged';
      readonly data: { readonly change: SecondFactorChange; readonly client?: string };
    }
  /** A link was sent to another e-mail address. */
  | {
      readonly type: 'EmailChangeAsked';
      readonly data: EmailChangeFact & { readonly client?: string };
    }
  /** The link was used: the address is the person's, and takes the place of the one before unless somebody else has it by now. */
  | {
      readonly type: 'EmailChangeConfirmed';
      readonly data: EmailChangeFact & {
        /** The person's epoch when it was asked for, and the session that goes on. */
        readonly epoch: number;
        readonly session: string;
        readonly client?: string;
      };
    }
  | {
      readonly type: 'EmailChanged';
      /** What concerns the account's safety is told the address of before too, until an ISO instant. */
      readonly data: EmailChangeFact & { readonly formerToldUntil: string };
    }
  | {
      readonly type: 'EmailChangeFailed';
      readonly data: { readonly why: EmailChangeFailure; readonly client?: string };
    }
  | { readonly type: 'TransferPinSet'; readonly data: { readonly client?: string } }
  | {
      readonly type: 'TransferPinRefused';
      /** With no tries left the pin is locked until it is set anew. */
      readonly data: { readonly triesLeft: number; readonly client?: string };
    }
  | {
      readonly type: 'ParkedEventDiscarded';
      /** A read model that could not take the event goes on without it; the log has it as before. */
      readonly data: DiscardedEvent;
    };

/** An event of the log, and the read model that is without it. */
export type DiscardedEvent = {
  readonly model: string;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
};
