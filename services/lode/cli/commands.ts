import type { Command } from './command.js';

/** Every command, in the order in which they are explained. Each is loaded when it is used. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    summary: 'Runs Lode until it is stopped.',
    takes: [],
    options: {},
    details: ['The same as npm start. With --json it prints one line when it is ready, with its address.'],
    whileRunning: { instead: 'One Lode runs on a folder at a time.' },
    example: 'start',
    load: async () => (await import('./start.js')).runStart,
  },
  {
    name: 'invite-admin',
    summary: 'Makes a link that makes one admin, once, within a day.',
    takes: [],
    options: {
      duty: {
        value: 'duty',
        summary: 'What the admin is there for: owner, finance, support or auditor. Left out, an owner.',
      },
    },
    details: [
      'While there is no admin at all it makes none: each start of Lode prints the link that makes the first one.',
    ],
    whileRunning: { instead: 'An owner invites with POST /api/invitations.' },
    example: 'invite-admin --duty support',
    load: async () => (await import('./invite-admin.js')).runInviteAdmin,
  },
  {
    name: 'second-factor',
    summary: 'Takes the second factor off somebody who has lost it and the recovery codes.',
    takes: ['<remove>'],
    options: {
      email: { value: 'address', summary: 'Whose; needed.' },
      reason: { value: 'text', summary: 'Why; the log keeps it.' },
    },
    details: [
      'Make sure first who asks: from then on the password alone signs in. Of a customer no money leaves the account for LODE_CHANGE_WAIT_HOURS.',
      'The log says that the operator did it, and the person is told by mail, where mails are sent, when Lode runs again.',
    ],
    whileRunning: {
      instead:
        'A customer’s is taken off by any admin with POST /api/accounts/{userId}/second-factor/removal.',
    },
    example: 'second-factor remove --email ada@example.org --reason "Lost the telephone"',
    load: async () => (await import('./second-factor.js')).runSecondFactor,
  },
  {
    name: 'verify',
    summary: 'Walks the whole log and checks everything that must be true of it.',
    takes: [],
    options: {
      since: {
        value: 'backup',
        summary: 'Also checks that the log begins with exactly the history that this backup has.',
      },
      heads: {
        value: 'line',
        summary: 'Also checks that the log begins with the history that this line of heads was printed of.',
      },
      'log-only': {
        summary:
          'Leaves out the read models, the uploaded files and identity, which takes a fraction of the time and no room.',
      },
    },
    details: [
      'Of the log: the hash chain of every stream, positions and revisions without a gap, the ids of every command, known events and versions, requests and transfers that went a legal way, postings that add up to zero in each event and over all, no balance below zero, every hold given back or used up once, and money in transit that is exactly that of the transfers under way.',
      'Of the read models: they are folded again from the log into a scratch file, on the disk of the folder that TMPDIR names, and compared byte by byte. That file holds personal data in the clear; it has no name, and is gone with verify, however that ends.',
      'Documents on MongoDB that a program changes meanwhile are compared with what the log gives at their own position. Of those of one read model 50,000 are; if more were changed, it is said how many were not looked at.',
      'Of the uploaded files: each that the log names is read, and compared with the size and the SHA-256 that the event has, or, of the pictures of products and of the site, with those of when they were stored. Not missed are files of people who were erased, pictures that were replaced, and those of deleted products.',
      'Of identity: each row that has a checksum (credentials, keys of people, transfer pins, invitations) is compared with it. Each that is damaged is named.',
      'The first event that is wrong is named with its position, stream and revision.',
    ],
    whileRunning: 'works',
    example: 'verify --since /backups/monday',
    load: async () => (await import('./verify.js')).runVerify,
  },
  {
    name: 'heads',
    summary: 'Prints one line that stands for the whole log, to be kept elsewhere.',
    takes: [],
    options: {},
    details: [
      'The line has the platform, the position, how many events and streams there are, and a SHA-256 over where each stream stands. Whoever keeps it where nobody who can write the data folder reaches it, and later asks verify --heads, sees any change of what was there: one that was made with every hash made anew, too.',
    ],
    whileRunning: 'works',
    example: 'heads',
    load: async () => (await import('./heads.js')).runHeads,
  },
  {
    name: 'rebuild',
    summary: 'Builds read models anew from the log: the one that is named, or all.',
    takes: ['[model]'],
    options: {},
    details: [
      'The old documents stay until the new ones have caught up; those of events that the log has lost go at once.',
    ],
    whileRunning: {
      instead: 'While it runs, an admin can have a model rebuilt with POST /api/projections/{model}/rebuild.',
    },
    example: 'rebuild accounts',
    load: async () => (await import('./rebuild.js')).runRebuild,
  },
  {
    name: 'backup',
    summary: 'Copies everything that can’t be made again into a new folder.',
    takes: ['<folder>'],
    options: {},
    details: [
      'The log, the identity store and the uploaded files, all as of one moment. SHA256SUMS lists them in the form that sha256sum --check reads; manifest.json, which is written last, says what is in the backup and makes it one.',
      'The copy is verified before it counts. Where a row of identity or an uploaded file is damaged, the backup has it as it is, says so, and the command ends with 1. It holds the keys of all personal data: keep it as safe as the data folder.',
      'The log says that it was run: before anything is copied where Lode runs on the folder, else from its next start on.',
    ],
    whileRunning: 'works',
    example: 'backup /backups/monday',
    load: async () => (await import('./backup.js')).runBackup,
  },
  {
    name: 'restore',
    summary: 'Puts a backup into a data folder that is empty or not there yet.',
    takes: ['<backup>'],
    options: {
      'with-damage': {
        summary: 'Restores also a backup that was made while rows of identity were damaged, as it is.',
      },
    },
    details: [
      'Every file is checked against the manifest, the log is verified, and the rows of identity are compared with their checksums, before anything is written. Nothing is ever overwritten. The read models are made again at the next start.',
    ],
    whileRunning: { instead: 'A folder that is in use is not empty.' },
    example: 'restore /backups/monday --data /srv/lode',
    load: async () => (await import('./restore.js')).runRestore,
  },
  {
    name: 'export',
    summary: 'Writes the log as lines of JSON, with its hashes.',
    takes: ['[file]'],
    options: {},
    details: [
      'To standard output when no file is named, or `-`. A file that is there is continued after its last whole line, if it is of this log; any other is left as it is, and refused. So is a place in the data folder.',
      'Personal data stays encrypted in it, and the keys are not in it.',
      'The log says that it was run: before anything is written where Lode runs on the folder, else from its next start on.',
    ],
    whileRunning: 'works',
    example: 'export log.ndjson',
    load: async () => (await import('./export.js')).runExport,
  },
  {
    name: 'import',
    summary: 'Reads what export wrote into the log, checking every line.',
    takes: ['<file>'],
    options: {},
    details: [
      'It goes on where the log ends: what the log has already must be what the file begins with. The first line that is wrong is refused with its number, and nothing from there on is taken.',
      'Personal data stays readable only where the identity store with its keys is. An empty folder gets a new one, so that Lode starts on a log that was imported alone: nobody can sign in there.',
    ],
    whileRunning: { instead: 'The log has one writer.' },
    example: 'import log.ndjson',
    load: async () => (await import('./import.js')).runImport,
  },
  {
    name: 'migrate',
    summary: 'Moves everything from a data folder to servers, or back to a folder.',
    takes: ['<from|to>', '<folder>'],
    options: {
      'leave-damaged': {
        summary: 'Goes on without uploaded files that are damaged or lost, and lists them.',
      },
    },
    details: [
      'The other side is what the settings name: EVENTSTORE_URL, MONGODB_URL and S3_URL, and the data folder for what is on none of them. The log, the identity store and the uploaded files are copied to where nothing is, the events in the same order.',
      'Then it compares both sides, each event by its hash, each record and each file, and marks the source as moved: it never starts again. Until then the target does not start. Cut off at any step, the same command again goes on. Where it fails, the source goes on.',
      'Reactors begin at the end of the copy with what they still owed. Read models are made again at the next start. Sessions are not copied, so that everybody signs in again.',
    ],
    whileRunning: { instead: 'Everything is copied as it is at one moment.' },
    example: 'migrate from ./data --data ./server-data',
    load: async () => (await import('./migrate.js')).runMigrate,
  },
  {
    name: 'erase',
    summary: 'Forgets a person for ever: closes the account and destroys the key of all personal data.',
    takes: ['<userId>'],
    options: { yes: { summary: 'Does not ask first; needed where nobody sits at a terminal.' } },
    details: [
      'It asks first: whoever typed it types the id or the e-mail of the person once more.',
      'It writes PersonForgotten, ends the sessions, erases e-mail and password, destroys the key, deletes uploaded files, takes the person out of the read models, and writes the databases anew, so that nothing is left in them. The money’s history stays, and so do all hashes.',
      'Cut off at any step, the same command again finishes it. Backups made before still hold the key.',
    ],
    whileRunning: { instead: 'Start it again when the person is forgotten.' },
    example: 'erase 7d0c…',
    load: async () => (await import('./erase.js')).runErase,
  },
  {
    name: 'rewrap',
    summary: 'Wraps all keys of personal data, passwords and pins with the first key of LODE_KEY_FILE.',
    takes: [],
    options: {},
    details: [
      'For a folder that was made without a key, and for a new key in the place of an old one: that stays in the file below the new one until this has ended.',
      'Cut off at any step, the same command again finishes it; meanwhile Lode works with both keys in the file.',
      'What is damaged is left as it is and named, all else is wrapped, and the command ends with 1: the old keys are needed until it was mended and the command was given again.',
      'Backups that were made before need the key that was the first one then.',
      'Where everything is on servers it works beside programs that have the new key first; while one of them does not, it is refused and names that one.',
    ],
    whileRunning: {
      instead: 'With the new key first in the file, it wraps what is new with that from its next start.',
    },
    example: 'rewrap',
    load: async () => (await import('./rewrap.js')).runRewrap,
  },
  {
    name: 'accept-clock',
    summary: 'Says that the clock of this machine is right, whatever was known of the time before.',
    takes: [],
    options: {
      reason: {
        value: 'text',
        summary: 'Why; needed where the clock says less than the latest time that is known.',
      },
    },
    details: [
      'Lode does not go by a clock that is more than 7 days ahead of the latest time that it knows, or more than 5 minutes behind it (LODE_CLOCK_AHEAD_DAYS, LODE_CLOCK_BEHIND_MINUTES), nor by one that jumps by more than 5 minutes while it runs. Until then nothing is written: put the clock right, and it goes on by itself; or accept it, when it is right.',
      'It shows both times first. That it was accepted is an event, ClockAccepted. Where nothing is wrong nothing is written.',
    ],
    whileRunning: 'works',
    example: "accept-clock --reason 'the server had been set to a wrong year'",
    load: async () => (await import('./accept-clock.js')).runAcceptClock,
  },
  {
    name: 'accept-stores',
    summary: 'Goes on with log and identities as they are, although they had been further.',
    takes: [],
    options: {
      yes: { summary: 'Goes on without asking: for scripts, where nobody can be asked.' },
      reason: { value: 'text', summary: 'Why.' },
    },
    details: [
      'While it runs, and when it is stopped, Lode keeps how far log and identities have come, by itself: their head. It refuses to start on a log or an identity store that is behind its head, is another one, or is ahead by more than a program that died can be (LODE_HEAD_AHEAD_MINUTES, LODE_HEAD_AHEAD_CHANGES). When what is missing can be put back, put it back instead, as from a backup.',
      'It shows what is lost and asks first. That it was accepted is an event, StoresAccepted. What follows from the log, such as the end of what an erasure left undone, is done once more. Where nothing is wrong nothing is written.',
      'The read models are another thing: where they have seen what is lost, lode rebuild comes after it.',
    ],
    whileRunning: { instead: 'A program that runs has found nothing wrong.' },
    example: 'accept-stores',
    load: async () => (await import('./accept-stores.js')).runAcceptStores,
  },
  {
    name: 'give-up-keys',
    summary: 'Enters the keys of people that nobody has any more as lost.',
    takes: [],
    options: { yes: { summary: 'Gives them up without asking: for scripts, where nobody can be asked.' } },
    details: [
      'After a log was salvaged, or the identity store is of an older backup than the log, it can have people and messages whose key the identity store does not have. What would show their names waits for the key. Given up, it reads forgotten, for ever, and everything goes on; verify says how many there are.',
      'A key that an erasure destroyed is not lost, and is not counted.',
    ],
    whileRunning: { instead: 'Nobody registers meanwhile.' },
    example: 'give-up-keys',
    load: async () => (await import('./give-up-keys.js')).runGiveUpKeys,
  },
  {
    name: 'tick',
    summary: 'Pays the promotional bonus that is due: runs the bonus tick once.',
    takes: [],
    options: {
      at: {
        value: 'time',
        summary: 'Pays what was due at this time, such as 2026-03-01T10:00:00Z; now when left out.',
      },
    },
    details: [
      'It folds the read models up to the end of the log, finds the accounts that are due in them, and lets each decide what it is owed. Run twice, or cut off and run again, it pays nobody twice.',
      'The time must not lie ahead, and not before the last event of the log: what is written bears it.',
      'It ends with 1 when the bonus of an account failed; all others are paid nevertheless.',
      'The program lists the run among its own, with what it came to.',
    ],
    whileRunning: {
      instead:
        'While it runs it ticks by itself, and an admin can have it tick at once with POST /api/jobs/bonus-tick/run.',
    },
    example: 'tick --at 2026-03-01T10:00:00Z',
    load: async () => (await import('./tick.js')).runTick,
  },
  {
    name: 'doctor',
    summary: 'Looks at settings, disk, files and lag, and says what looks wrong and what to do.',
    takes: [],
    options: {},
    details: [
      'Each database is opened as the start opens it, but to read, and the structure of one that is smaller than 64 MiB is gone through. What is in the files is not read: verify does that.',
      'The parts are looked at side by side: one that gives no answer within 5 seconds, as of a server that is paused, is named, and the others are told all the same.',
      'The settings are those of the program that runs. Where none does, or it doesn’t say, they are those of the shell, and it is said so.',
      'It ends with 1 when something looks wrong.',
      'It changes nothing, but for a small file that it writes to measure the disk and removes.',
    ],
    whileRunning: 'works',
    example: 'doctor',
    load: async () => (await import('./doctor.js')).runDoctor,
  },
];
