/** An event as the double keeps it. */
export type LogEvent = {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  /** Commit and prepare position, which are the same for every ordinary write. */
  readonly position: bigint;
};

export type NewEvent = Pick<LogEvent, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;
