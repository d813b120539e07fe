/** What nobody but the owner of a new file may do with it. */
const OTHERS_RIGHTS = 0o077;

/**
 * From here on, whatever this process writes is for the person alone who runs it, also in a folder that others may look
 * into: read models and exports hold names and e-mails in the clear. It holds for all threads.
 */
export function keepFilesToOwner(): void {
  process.umask(OTHERS_RIGHTS);
}
