/** A mail on its way: to one person, as plain text and as HTML that names nothing elsewhere. */
export type OutgoingMail = {
  /** The same whenever the same mail is sent again, so that a reader of mails can tell. */
  readonly mailId: string;
  /** When it was queued; milliseconds since the epoch. */
  readonly queuedAt: number;
  /** The operator's name as senders show it. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** What came of it. `failed` may come to another end later; what is `refused` is never taken. */
export type MailOutcome =
  { readonly kind: 'sent' } | { readonly kind: 'failed' | 'refused'; readonly why: string };

/** Where mails are handed over. It never throws: what fails is an outcome. One that was cut off may have been taken. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<MailOutcome>;
  close(): Promise<void>;
}
