import type { Clock } from '#kernel';
import { memberLimits, type Member, type Membership } from '#membership';

/** What the programs of one process share. */
export type MemoryMemberStore = Map<string, { readonly member: Member; readonly until: number }>;

/** Membership in memory. */
export function createMemoryMembership(store: MemoryMemberStore, clock: Clock): Membership {
  // One that would last for longer than any does began before the clock was set back.
  const isThere = (until: number) => until > clock() && until <= clock() + memberLimits.ttlMs;
  const keep = (member: Member) => store.set(member.name, { member, until: clock() + memberLimits.ttlMs });
  return {
    join: async (told) => {
      const member = { ...told };
      keep(member);
      const isMine = () => store.get(member.name)?.member === member;
      return {
        renew: async () => {
          if (!isMine()) return false;
          keep(member);
          return true;
        },
        leave: async () => {
          if (isMine()) store.delete(member.name);
        },
      };
    },
    members: async () =>
      [...store.values()]
        .filter(({ until }) => isThere(until))
        .map(({ member }) => member)
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
