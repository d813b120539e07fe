import { DATABASE } from './servers.js';

/** The leases that programs keep in MongoDB, for whoever looks whether they are kept. */
export type LeaseWatch = {
  /** By the lease's name, until when it runs, in milliseconds of the server's clock; 0 once it was released. */
  readonly ends: () => Promise<ReadonlyMap<string, number>>;
  readonly close: () => Promise<void>;
};

/** Looks at the leases in the database of a test's programs; `url` is that of MongoDB. */
export async function watchLeases(url: string): Promise<LeaseWatch> {
  const { MongoClient } = await import('mongodb');
  const client = await MongoClient.connect(url);
  const leases = client.db(DATABASE).collection<{ readonly _id: string; readonly until: Date }>('leases');
  return {
    ends: async () =>
      new Map((await leases.find().toArray()).map(({ _id, until }) => [_id, until.getTime()])),
    close: () => client.close(),
  };
}
