import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Mounted = { readonly folder: string; unmount(): void };

/** A small file system of its own, made with these mount options; throws when this machine does not let us. */
export function mountTmpfs(options: string): Mounted {
  return mounted('lode-tmpfs-', (folder) => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  });
}

/** A folder as whoever has it mounted read-only sees it, while others write it; throws as `mountTmpfs`. */
export function mountReadOnly(of: string): Mounted {
  return mounted('lode-read-only-', (folder) => {
    execFileSync('mount', ['--bind', '-o', 'ro', of, folder], { stdio: 'ignore' });
  });
}

function mounted(name: string, mount: (folder: string) => void): Mounted {
  const folder = mkdtempSync(join(tmpdir(), name));
  try {
    mount(folder);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}

/** True when this machine lets us mount; when not, says which test was therefore not run. */
export function canMount(what: string): boolean {
  try {
    mountTmpfs('size=1m').unmount();
    return true;
  } catch {
    console.warn(`not run: ${what} (mounting a small file system is not allowed here)`);
    return false;
  }
}
