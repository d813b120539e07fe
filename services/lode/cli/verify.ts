import type { EngineSettings, FileReport, Inspection, Progress } from '#engines';
import { callerText, isLodeError, type LodeError } from '#kernel';
import {
  describeFault,
  parseHeads,
  type Fault,
  type LogHeads,
  type LogReport,
  type Milestone,
  type ModelReport,
} from '#verify';
import { checkHeads, checkLog, checkReadModels } from './check-folder.js';
import { checkIdentity, damagedIdentity, type IdentityReport } from './check-identity.js';
import { checkUploads, type UploadsReport } from './check-uploads.js';
import type { Call, OrderedOutcome } from './command.js';
import { withInspection, readingLog } from './folder.js';
import { readManifest } from '../manifest.js';
import { count, counted, table } from './output.js';
import { UsageError } from './parse.js';

/** States of a read model that say that something is wrong with it. */
const WRONG: readonly ModelReport['state'][] = ['different', 'parked'];

const NEWER = 'The log holds events of a newer Lode, which this one cannot read.';
const APART =
  'What was kept of the head of the log and the identities does not fit them: an operator has to look.';
const DAMAGED = 'The database of the log or of the identities is damaged: an operator has to look.';

/** What is verified with: by the command, or by what the program has do it. */
type VerifyCall = Pick<Call, 'options' | 'progress'> & { readonly settings: EngineSettings };

/** Something that is wrong: for the operator, and as callers are told it, who learn no name of a file and no address. */
type Wrong = { readonly text: string; readonly told: string };

const plain = (text: string): Wrong => ({ text, told: text });
const failed = (error: LodeError): Wrong => ({ text: error.message, told: callerText(error) });

/** `lode verify`. */
export function runVerify({ settings, options, progress }: VerifyCall): Promise<OrderedOutcome> {
  const { since } = options;
  const kept = keptHeads(options['heads']);
  return withInspection(settings, (engines) =>
    verify(engines, {
      since: typeof since === 'string' ? readManifest(since).log : undefined,
      kept,
      logOnly: options['log-only'] === true,
      progress,
    }),
  );
}

function keptHeads(line: string | boolean | undefined): LogHeads | undefined {
  if (typeof line !== 'string') return undefined;
  const heads = parseHeads(line);
  if (heads === undefined) throw new UsageError('--heads takes a line that lode heads has printed.');
  return heads;
}

type VerifyOptions = {
  readonly since: Milestone | undefined;
  readonly kept: LogHeads | undefined;
  readonly logOnly: boolean;
  readonly progress: Progress;
};

async function verify(
  engines: Inspection,
  { since, kept, logOnly, progress }: VerifyOptions,
): Promise<OrderedOutcome> {
  const files = engines.maintenance.checkStructure();
  const log = await checkLog(engines, progress, since);
  // What a log that is wrong gives says nothing about the documents.
  const isWrong = log.faults.length > 0 || files.some(({ complaints }) => complaints.length > 0);
  const isAll = !logOnly && !isWrong;
  const rewritten = kept === undefined || isWrong ? undefined : await checkHeads(engines, kept, progress);
  const { models, unreadable } = isAll ? await modelsIn(engines, progress) : noModels;
  const uploads = isAll ? await uploadsIn(engines, progress) : undefined;
  const identity = logOnly ? noIdentity : await identityIn(engines, progress);
  const newer = await engines.newerEvents();
  // Why one of them can't be read is told already.
  const stores = isAll && unreadable === undefined ? await storesIn(engines) : noStores;
  const found = [
    ...(newer === undefined ? [] : [{ text: newer, told: NEWER }]),
    ...wrongIn(files, log, models),
    ...(rewritten === undefined ? [] : [plain(rewritten)]),
    ...(unreadable === undefined ? [] : [unreadable]),
    ...(uploads === undefined ? [] : wrongUploads(uploads)),
    ...identity.wrong.filter(({ text }) => text !== unreadable?.text),
    ...stores.wrong,
  ];
  const wrong = found.map(({ text }) => text);
  return {
    ok: wrong.length === 0,
    told: [...new Set(found.map(({ told }) => told))],
    facts: {
      files,
      log,
      models,
      uploads: uploads ?? null,
      identity: identity.report ?? null,
      lostKeys: stores.lostKeys,
      wrong,
    },
    lines: [
      ...describe(log, models),
      ...(uploads === undefined ? [] : [`Uploaded files that the log names: ${count(uploads.looked)}.`]),
      ...(identity.report === undefined ? [] : [`Rows of identity: ${count(identity.report.rows)}.`]),
      ...(stores.lostKeys === null || stores.lostKeys === 0
        ? []
        : [`Keys of people and messages that were given up as lost: ${count(stores.lostKeys)}.`]),
      '',
      ...(wrong.length === 0 ? ['Nothing is wrong.'] : wrong.map((one) => `WRONG: ${one}`)),
    ],
  };
}

/** The rows of identity, or why they can't be read. */
type IdentitySeen = { readonly report?: IdentityReport; readonly wrong: readonly Wrong[] };

const noIdentity: IdentitySeen = { wrong: [] };

async function identityIn(engines: Inspection, progress: Progress): Promise<IdentitySeen> {
  try {
    const report = await checkIdentity(engines, progress);
    return report === undefined ? noIdentity : { report, wrong: damagedIdentity(report).map(plain) };
  } catch (error) {
    if (isLodeError(error)) return { wrong: [failed(error)] };
    throw error;
  }
}

/** Log and identities beside the head that was kept of them, and the keys that were given up. */
type StoresSeen = { readonly wrong: readonly Wrong[]; readonly lostKeys: number | null };

const noStores: StoresSeen = { wrong: [], lostKeys: null };

async function storesIn(engines: Inspection): Promise<StoresSeen> {
  try {
    const { wrong } = await engines.headReport();
    return {
      wrong: wrong.map((text) => ({ text, told: APART })),
      lostKeys: await engines.lostPersonKeys(),
    };
  } catch (error) {
    if (isLodeError(error)) return { wrong: [failed(error)], lostKeys: null };
    throw error;
  }
}

/** The read models against the log, or why they can't be read: that says nothing about the rest. */
type Compared = { readonly models: readonly ModelReport[]; readonly unreadable?: Wrong };

const noModels: Compared = { models: [] };

async function modelsIn(engines: Inspection, progress: Progress): Promise<Compared> {
  try {
    return { models: await checkReadModels(engines, progress) };
  } catch (error) {
    if (isLodeError(error)) return { models: [], unreadable: failed(error) };
    throw error;
  }
}

async function uploadsIn(engines: Inspection, progress: Progress): Promise<UploadsReport> {
  const uploads = await engines.openUploads();
  try {
    return await readingLog(engines, (reader) => checkUploads(reader, uploads, progress));
  } finally {
    await uploads.close();
  }
}

function wrongUploads({ wrong, complaints }: UploadsReport): readonly Wrong[] {
  const more = wrong - complaints.length;
  return more === 0
    ? complaints
    : [...complaints, plain(`${count(more)} more uploaded files are missing or changed`)];
}

/** What is wrong with the files of a folder, its log and its read models, a sentence each: the first event of the log first. */
export function wrongIn(
  files: readonly FileReport[],
  { faults }: Pick<LogReport, 'faults'>,
  models: readonly ModelReport[],
): readonly Wrong[] {
  return [
    ...faults.map((fault) => ({ text: describeFault(fault), told: toldOf(fault) })),
    ...files.flatMap(({ file, complaints }) =>
      complaints.map((one) => ({ text: `${file}: ${one}`, told: DAMAGED })),
    ),
    ...models
      .filter(({ state }) => WRONG.includes(state))
      .map(({ model, state, what = '' }) => ({
        text: `read model ${model}: ${what}`,
        told: `read model ${model}: ${state === 'parked' ? 'it has parked events' : what}`,
      })),
  ];
}

/** What can't be read says why in the words of whatever reads it. */
function toldOf(fault: Fault): string {
  return describeFault(fault.kind === 'unreadable' ? { ...fault, what: 'it cannot be read' } : fault);
}

/** What was looked at. */
export function describe(log: LogReport, models: readonly ModelReport[]): readonly string[] {
  const { events, streams, head, digest, types, trialBalance, transfersUnderWay } = log;
  const currencies = [...new Set(Object.values(trialBalance).flatMap((sums) => Object.keys(sums)))];
  return [
    `The log has ${counted(events, 'event')} in ${counted(streams, 'stream')}, up to position ${head.position}.`,
    `Its history is ${digest}.`,
    ...table(Object.entries(types).map(([type, number]) => [`  ${type}`, count(number)])),
    ...(currencies.length === 0 ? [] : ['The trial balance:']),
    ...table([
      ...(currencies.length === 0 ? [] : [['  ', ...currencies]]),
      ...Object.entries(trialBalance).map(([group, sums]) => [
        `  ${group}`,
        ...currencies.map((currency) => sums[currency] ?? ''),
      ]),
    ]),
    `Transfers under way: ${count(transfersUnderWay)}.`,
    ...(models.length === 0 ? [] : ['The read models against the log:']),
    ...table(
      models.map(({ model, state, documents, position, what }) => [
        `  ${model}`,
        state,
        `${counted(documents, 'document')} as of ${position}${state === 'equal' && what !== undefined ? `; ${what}` : ''}`,
      ]),
    ),
  ];
}
