import { LodeError, randomAlphanumeric, systemRandom, type Random } from '#kernel';
import { memberLimits, type Joined, type Member, type Membership } from '#membership';
import { connectMongo, heard, lasting, type Answer, type MongoConnection, type MongoOptions } from '#mongodb';

const MEMBERS = 'members';
const WHAT = 'a membership';
/** Characters that tell one life of a program from every other. */
const BY_LENGTH = 20;

export type MongoMembershipOptions = MongoOptions & { readonly random?: Random };

/** The programs on a MongoDB database: a document each, which lasts by the server's own clock. */
export async function openMongoMembership(
  options: MongoMembershipOptions,
): Promise<Membership & { readonly close: () => Promise<void> }> {
  const { random = systemRandom } = options;
  const connection = await connectMongo(options);
  return {
    join: async (member) => {
      // What nobody renews any more would stay for ever. One that is held up joins again.
      await changed(connection, { delete: MEMBERS, deletes: [{ q: { $expr: hasRunOut }, limit: 0 }] });
      const by = randomAlphanumeric(random, BY_LENGTH);
      // It lasts from the first moment on: others who join remove what has run out. Made a second time, it finds its own document
      // and takes nothing from it.
      const u = [{ $set: { ...literally({ ...storedAs(member), by }), until } }];
      const joining = { q: { _id: member.name, by: { $ne: by } }, u, upsert: true };
      await changed(connection, { update: MEMBERS, updates: [joining] });
      const joined = joinedAs(connection, member.name, by);
      if (await joined.renew()) return joined;
      throw new LodeError('unavailable', 'Another program joined in MongoDB by the same name.');
    },
    members: async () => {
      const isThere = { $expr: { $not: [hasRunOut] } };
      return (await connection.find(MEMBERS, isThere, { sort: { _id: 1 } })).map(memberIn);
    },
    close: connection.close,
  };
}

const { until, hasRunOut } = lasting(memberLimits.ttlMs);

/** A write that says the same when it is made twice. */
function changed(connection: MongoConnection, command: Answer): Promise<Answer> {
  return heard(() => connection.write(command), WHAT);
}

function joinedAs(connection: MongoConnection, name: string, by: string): Joined {
  const q = { _id: name, by };
  return {
    renew: async () => {
      const { n } = await changed(connection, {
        update: MEMBERS,
        updates: [{ q, u: [{ $set: { until } }] }],
      });
      return n === 1;
    },
    leave: async () => {
      await changed(connection, { delete: MEMBERS, deletes: [{ q, limit: 1 }] });
    },
  };
}

/** Values as they are, in a pipeline. */
function literally(document: Answer): Answer {
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, { $literal: value }]));
}

/** Names of types and models are kept in a text: nobody says that they are fit for members of a document. */
function storedAs({ program, projects, kinds, models }: Member): Answer {
  return { program: program ?? null, projects, reads: JSON.stringify({ kinds, models }) };
}

function memberIn({ _id, program: version, projects, reads }: Answer): Member {
  const { kinds, models } = JSON.parse(String(reads)) as Pick<Member, 'kinds' | 'models'>;
  const program = typeof version === 'string' ? version : undefined;
  return { name: String(_id), program, projects: projects === true, kinds, models };
}
