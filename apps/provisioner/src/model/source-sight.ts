/** A folder as one process sees it. */
export interface FolderState {
  readonly inode: string;
  /** The modification time in nanoseconds. */
  readonly changed: string;
}

/** A delivery in the source as the process that accepted its import has seen it. */
export interface SourceSight {
  readonly submission: string;
  /** The root of the source and the folders below it, to the delivery; empty if the source is not a folder. */
  readonly folders: readonly FolderState[];
}

/**
 * Returns why the source of this process may not be the one that another process has seen, for example because it is not
 * mounted here. A network file system reports the same inodes on every machine. A process that sees another inode, but
 * the same modification time, uses another client of the same file system.
 *
 * @param seen the folders that the other process has seen
 * @param present the folders that this process sees, to the first one that is missing
 * @returns null if this process sees the same delivery, or that the delivery was removed
 */
export function doubtAbout(seen: readonly FolderState[], present: readonly FolderState[]): string | null {
  const [root, ...below] = seen.map((folder, index) => ({ then: folder, now: present[index] }));
  if (!root) return null;
  if (!isSame(root)) {
    const last = below.at(-1);
    return last && isSame(last) ? null : 'The source is another folder than the one that the service has listed';
  }
  const missing = below.findIndex(({ now }) => now === undefined);
  const parent = [root, ...below][missing];
  if (missing === -1 || !parent?.now) return null;
  const isOlder = parent.then.inode === parent.now.inode && BigInt(parent.now.changed) < BigInt(parent.then.changed);
  return isOlder ? 'The source is older than what the service has listed; its cached folders are outdated' : null;
}

interface Pair {
  readonly then: FolderState;
  readonly now: FolderState | undefined;
}

function isSame({ then, now }: Pair): boolean {
  return now !== undefined && (then.inode === now.inode || then.changed === now.changed);
}
