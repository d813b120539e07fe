/** What an admin may order of the program. The names are storage. */
export const operations = [
  'rebuild',
  'cancel rebuild',
  'replay',
  'run job',
  'retry',
  'backup',
  'verify',
  'cancel verify',
  'cancel backup',
] as const;
export type OperationName = (typeof operations)[number];

/** What was ordered, and of what. */
export type Operation = {
  readonly operation: OperationName;
  /** The read model or the job that it is about; left out where it is about no single one. */
  readonly about?: string;
  /** The stream whose parked events are folded again; left out when it is all of them. */
  readonly stream?: string;
};

/** The facts of a stream `operations-{month}`. That something was ordered does not say what came of it. */
export type OperationsEvent = { readonly type: 'OperationOrdered'; readonly data: Operation };
