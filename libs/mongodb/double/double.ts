import { systemClock } from '#kernel';
import { freePort } from '#kernel/testing/port';
import {
  carryOut,
  isGreeting,
  isWrite,
  lost,
  nameOf,
  statementsOf,
  type House,
  type Version,
} from './commands.js';
import { createData } from './data.js';
import { openJournal } from './journal.js';
import { createCursors } from './reads.js';
import { failureAnswer, Refusal } from './refusal.js';
import { listen, type Outcome, type WireServer } from './server.js';
import type { User } from './sign-in.js';
import type { Doc } from './values.js';

/** What may happen to a command. */
export type Fault =
  /** Nothing happens to it: the faults after this one are those of later commands. */
  | 'none'
  /** It goes to a server that is the primary no longer: nothing happens. */
  | 'not-primary'
  /** The server has the command but not yet the features of its version: nothing happens. */
  | 'not-supported'
  /** It happens, and then no majority says in time that it has it. */
  | 'write-concern'
  /** The connection is closed before it happens, or after. */
  | 'cut-before'
  | 'cut-after'
  /** It happens, and the answer can't be understood. */
  | 'garbled-after'
  /** No answer ever comes; it did not happen, or did. */
  | 'silent-before'
  | 'silent-after'
  /** The same, and its client, which is in this process, has waited for as long as it does. */
  | 'timeout-before'
  | 'timeout-after'
  | 'disk-full';

export type DoubleOptions = {
  /** Where what was written is kept; without one it outlives `stop` and `start`, and not the process. */
  readonly file?: string;
  /** Any when left out. */
  readonly port?: number;
  /** A single server when left out. */
  readonly replicaSet?: string;
  /** 8 when left out. */
  readonly version?: Version;
  /** True when it says that it is a router with shards behind it. */
  readonly isRouter?: boolean;
  /** Nobody signs in when left out. */
  readonly user?: User;
  /** What `$$NOW` is, in milliseconds; the machine's clock when left out. */
  readonly clock?: () => number;
  /** Called after each single write, synced when `sync` was called. */
  readonly onWrite?: (sync: () => void) => void;
};

/** A command that waits on its way to the server. */
export type HeldUp = {
  /** Once it is there. */
  readonly arrived: Promise<void>;
  readonly release: () => void;
};

/**
 * A double of a MongoDB server, on a real loopback socket, for the real driver: one thread, in which every command is
 * carried out whole and alone, with a file that is synced before a write is answered. What it does not do it refuses by
 * name. It has no transactions, change streams or retryable writes.
 */
export type MongoDbDouble = {
  /** The connection string, without a database; the port stays the same over `stop` and `start`. */
  readonly url: string;
  readonly port: number;
  /**
   * The next command of this name (`any write`: of any that writes) has this fault; the ones after it theirs. To those that
   * clients send of their own accord, such as `hello`, no answer comes, whatever the fault, and a timeout is one.
   */
  failNext(name: string, ...faults: readonly Fault[]): void;
  /** The command after so many others from now on is held up until it is released, and carried out then. */
  holdUp(after: number): HeldUp;
  /** Faults that no command has come for yet. */
  faultsLeft(): number;
  /** From now on no majority has what is written, until `comeBack`. */
  loseMajority(): void;
  /** The primary comes back: with all that was written, or without what no majority had. */
  comeBack(how: 'with all' | 'without the last writes'): void;
  /** Cuts every connection. */
  cut(): void;
  /** How many commands came of each name, those that clients send of their own accord left out. */
  commands(): ReadonlyMap<string, number>;
  /** How many single writes those commands asked for. */
  statements(): number;
  /** Begins to count anew. */
  resetCounts(): void;
  /** Cursors that are open. */
  cursors(): number;
  stop(): Promise<void>;
  start(): Promise<void>;
};

export async function startDouble(options: DoubleOptions = {}): Promise<MongoDbDouble> {
  const { file, replicaSet, version = 8, isRouter = false, clock = systemClock } = options;
  const { onWrite = () => {} } = options;
  const journal = openJournal(file);
  const data = createData(journal, () => onWrite(journal.sync));
  const cursors = createCursors();
  const faults: { readonly name: string; readonly fault: Fault }[] = [];
  const holding = createHolding();
  const counted = { commands: new Map<string, number>(), statements: 0 };
  let majority: ReturnType<typeof data.snapshot> | undefined;
  const port = options.port ?? (await freePort());
  let running: WireServer | undefined;

  const house: House = {
    data,
    cursors,
    role: () => ({ port, replicaSet, version, isRouter }),
    clock,
    user: options.user,
    isAlone: () => majority !== undefined,
    majority: () => majority ?? data,
  };

  function faultOf(name: string): Fault | undefined {
    const at = faults.findIndex((one) => one.name === name || (one.name === 'any write' && isWrite(name)));
    return at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
  }

  function answer(command: Doc): Outcome | Promise<Outcome> {
    const name = nameOf(command);
    if (isGreeting(name)) {
      const fault = faultOf(name);
      if (fault === undefined) return outcomeOf(house, command);
      return fault.startsWith('timeout') ? 'timeout' : 'silence';
    }
    const wait = holding.waitFor();
    return wait === undefined ? happen(name, command) : wait.then(() => happen(name, command));
  }

  function happen(name: string, command: Doc): Outcome {
    counted.commands.set(name, (counted.commands.get(name) ?? 0) + 1);
    if (isWrite(name)) counted.statements += statementsOf(command);
    const fault = faultOf(name);
    if (fault === 'cut-before') return 'cut';
    if (fault === 'silent-before') return 'silence';
    if (fault === 'timeout-before') return 'timeout';
    if (fault === 'not-primary') return failureAnswer(new Refusal(10107, 'not primary'));
    if (fault === 'not-supported') return failureAnswer(new Refusal(115, `${name} may not be run`));
    if (fault === 'disk-full') return failureAnswer(new Refusal(14031, 'No space left on device'));
    const outcome = outcomeOf(house, command);
    journal.sync();
    if (fault === 'cut-after') return 'cut';
    if (fault === 'silent-after') return 'silence';
    if (fault === 'timeout-after') return 'timeout';
    if (fault === 'garbled-after') return 'garbage';
    return fault === 'write-concern' ? { ...outcome, writeConcernError: lost } : outcome;
  }

  const start = async () => {
    running = await listen(port, answer);
  };
  await start();
  return {
    url: `mongodb://127.0.0.1:${port}/?${replicaSet === undefined ? '' : `replicaSet=${replicaSet}`}`,
    port,
    failNext: (name, ...more) => void faults.push(...more.map((fault) => ({ name, fault }))),
    holdUp: holding.holdUp,
    faultsLeft: () => faults.length,
    loseMajority: () => void (majority ??= data.snapshot()),
    comeBack: (how) => {
      if (how === 'without the last writes') majority?.restore();
      majority = undefined;
      running?.cut();
    },
    cut: () => running?.cut(),
    commands: () => new Map(counted.commands),
    statements: () => counted.statements,
    resetCounts: () => {
      counted.commands.clear();
      counted.statements = 0;
    },
    cursors: cursors.count,
    stop: async () => {
      await running?.close();
      running = undefined;
    },
    start,
  };
}

/** Which commands are held up. */
function createHolding() {
  const held: { left: number; readonly arrive: () => void; readonly released: Promise<void> }[] = [];
  return {
    holdUp: (after: number): HeldUp => {
      const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held.push({ left: after, arrive: arrived.resolve, released: released.promise });
      return { arrived: arrived.promise, release: released.resolve };
    },
    /** What the command that comes now waits for. */
    waitFor: (): Promise<void> | undefined => {
      const at = held.findIndex(({ left }) => left === 0);
      for (const one of held) one.left--;
      const [due] = at < 0 ? [] : held.splice(at, 1);
      due?.arrive();
      return due?.released;
    },
  };
}

function outcomeOf(house: House, command: Doc): Doc {
  try {
    return { ...carryOut(house, command), ok: 1 };
  } catch (error) {
    return failureAnswer(error);
  }
}
