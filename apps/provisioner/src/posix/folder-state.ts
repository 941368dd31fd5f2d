import { stat } from 'node:fs/promises';

/** File systems such as Lustre count modification times in seconds: within so long a folder can change unseen. */
const coarsestTickMs = 2_000;

/**
 * A text that is another as soon as a name has come to a folder or gone from it, or the folder itself has. Null when that
 * cannot be told: it was changed so lately that its modification time may stay the same at the next change.
 */
export async function stateOfFolder(path: string): Promise<string | null> {
  try {
    const { ino, mtimeNs, mtimeMs } = await stat(path, { bigint: true });
    return Date.now() - Number(mtimeMs) > coarsestTickMs ? `${String(ino)}:${String(mtimeNs)}` : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : null;
  }
}
