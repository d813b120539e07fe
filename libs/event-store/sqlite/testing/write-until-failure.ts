import { isLodeError, logStart } from '#kernel';
import { openSqliteEventStore } from '#event-store/sqlite';
import { startWriting } from '#event-store/testing';

/** A program: appends events to the log in the file that it is given, one at a time, until three have failed; prints what it saw. */
const store = await openSqliteEventStore({ file: process.argv[2] ?? '' });
const writing = startWriting();
const codes: string[] = [];
let taken = 0;
for (let n = 0; n < 100 && codes.length < 3; n++) {
  try {
    await writing.append(store, `stream-${n}`);
    taken += 1;
  } catch (error) {
    codes.push(isLodeError(error) ? error.code : String(error));
  }
}
const read = (await store.readAll(logStart, 1_000)).length;
process.stdout.write(JSON.stringify({ taken, codes, read }));
await store.close();
