import type { Backups, ChoreView, Verification } from '#contracts';
import { LodeError, plainFailure } from '#kernel';
import { sentBy } from '../command.js';
import type { ChoreName, ChoreRun, Chores, Ports } from '../ports.js';
import { writeOrder, type OrderContext, type OrderParts } from './order.js';
import { Query } from '../message.js';

type Parts = Pick<Ports, 'chores'>;
type OrderedParts = OrderParts & Parts;

/** Where backups go, the newest one that is there, and the one under way. */
export class GetBackups extends Query<Backups> {}

export class GetBackupsHandler {
  constructor(private readonly parts: Parts) {}

  execute(): Promise<Backups> {
    return backupsView(this.parts.chores);
  }
}

/**
 * Has a backup made beside everything else; one that is under way is left to its end. Refuses with `backups_elsewhere` where
 * the program makes none.
 */
export class MakeBackup extends sentBy('admin')<Backups> {
  constructor(override readonly context: OrderContext) {
    super();
  }
}

export class MakeBackupHandler {
  private readonly order: (context: OrderContext) => Promise<void>;

  constructor(private readonly parts: OrderedParts) {
    this.order = ordering(parts, 'backup');
  }

  async execute({ context }: MakeBackup): Promise<Backups> {
    const { chores } = this.parts;
    if (chores.backups.way !== 'folder') throw new LodeError('backups_elsewhere', whyNot[chores.backups.way]);
    await this.order(context);
    return backupsView(chores);
  }
}

const whyNot = {
  unset: 'LODE_BACKUPS names no folder to put backups into.',
  servers: 'What is on servers is backed up by their own means.',
} as const;

/** How far the check of the log is, or what the last one found. */
export class GetVerification extends Query<Verification> {}

export class GetVerificationHandler {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<Verification> {
    return { run: viewOf(this.parts.chores.run('verify')) };
  }
}

/** Has the whole log checked beside everything else; a check that is under way is left to its end. */
export class Verify extends sentBy('admin')<Verification> {
  constructor(override readonly context: OrderContext) {
    super();
  }
}

export class VerifyHandler {
  private readonly order: (context: OrderContext) => Promise<void>;

  constructor(private readonly parts: OrderedParts) {
    this.order = ordering(parts, 'verify');
  }

  async execute({ context }: Verify): Promise<Verification> {
    const { chores } = this.parts;
    await this.order(context);
    return { run: viewOf(chores.run('verify')) };
  }
}

/** Stops the check of the log: true when one was under way. */
export class CancelVerification extends sentBy('admin')<boolean> {
  constructor(override readonly context: OrderContext) {
    super();
  }
}

export class CancelVerificationHandler {
  constructor(private readonly parts: OrderedParts) {}

  execute({ context }: CancelVerification): Promise<boolean> {
    return cancel(this.parts, 'verify', context);
  }
}

/** Stops the backup that is being made, and deletes what was copied: true when one was under way. */
export class CancelBackup extends sentBy('admin')<boolean> {
  constructor(override readonly context: OrderContext) {
    super();
  }
}

export class CancelBackupHandler {
  constructor(private readonly parts: OrderedParts) {}

  execute({ context }: CancelBackup): Promise<boolean> {
    return cancel(this.parts, 'backup', context);
  }
}

/** Stops what is under way of a name: true when something was. */
async function cancel(parts: OrderedParts, name: ChoreName, context: OrderContext): Promise<boolean> {
  const run = parts.chores.run(name);
  if (run?.state !== 'running') return false;
  await writeOrder(parts, context, { operation: `cancel ${name}` });
  // Another may have begun meanwhile.
  return parts.chores.cancel(name, run.begunAt);
}

/**
 * Has one begun, unless it is under way. Orders that come while one of them is being written are the same order. Refuses with
 * `unavailable` once the program stops.
 */
function ordering(parts: OrderedParts, name: ChoreName): (context: OrderContext) => Promise<void> {
  let inFlight: Promise<void> | undefined;
  const begin = async (context: OrderContext) => {
    await writeOrder(parts, context, { operation: name });
    if (!parts.chores.begin(name)) throw plainFailure('unavailable', 'The program is stopping.');
  };
  return async (context) => {
    if (parts.chores.run(name)?.state === 'running') return;
    inFlight ??= begin(context).finally(() => (inFlight = undefined));
    await inFlight;
  };
}

async function backupsView(chores: Chores): Promise<Backups> {
  const { way, folder, last } = chores.backups;
  return { way, folder, last: await last(), run: viewOf(chores.run('backup')) };
}

function viewOf(run: ChoreRun | null): ChoreView | null {
  return run === null ? null : { ...run, wrong: [...run.wrong] };
}
