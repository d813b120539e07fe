import { describeMembership } from '#membership/contract';
import { openMongoMembership } from '#membership/mongodb';
import { startDouble } from '#mongodb/double';

for (const replicaSet of [undefined, 'rs0']) {
  describeMembership(`MongoDB (double, replica set: ${replicaSet})`, async () => {
    let now = 1_000;
    const server = await startDouble({
      clock: () => now,
      ...(replicaSet === undefined ? {} : { replicaSet }),
    });
    const opened: (() => Promise<void>)[] = [];
    return {
      open: async () => {
        const membership = await openMongoMembership({ url: server.url, database: 'lode' });
        opened.push(membership.close);
        return membership;
      },
      pass: (ms) => {
        now += ms;
      },
      cleanUp: async () => {
        for (const close of opened) await close();
        await server.stop();
      },
    };
  });
}
