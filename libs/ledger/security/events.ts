/** What is noted, by the type of its event. The names are storage. */
export const securityTypes = [
  'SignInsRefused',
  'RequestsForbidden',
  'RequestsLimited',
  'AttemptsLockedOut',
  'ListExported',
  'PersonRead',
] as const;

export type SecurityType = (typeof securityTypes)[number];

/** What happened in one minute, so often: of one person, or of one network that nobody was signed in from. */
export type SecurityNote = {
  /** When the minute began; ISO instant. */
  readonly minute: string;
  readonly count: number;
  /** Who did it, or was refused it. */
  readonly userId?: string;
  /** Where that person's first request of these came from and with what, encrypted with the person's key. */
  readonly client?: string;
  /** The network of somebody who was not signed in, encrypted with the key of this id. */
  readonly network?: string;
  readonly key?: string;
  /** Whom an admin read of. */
  readonly about?: string;
  /** Which of the API's routes gave a list as a file. */
  readonly route?: string;
  /** Or which command of the operator's the log, or all there is: `export`, `backup`. */
  readonly command?: string;
};

/** The facts of a stream `security-{hour}`. */
export type SecurityEvent = {
  readonly [Type in SecurityType]: { readonly type: Type; readonly data: SecurityNote };
}[SecurityType];
