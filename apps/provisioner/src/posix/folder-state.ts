import { stat } from 'node:fs/promises';

/** File systems such as Lustre round modification times to seconds, so a second change may leave the time unchanged. */
const coarsestTickMs = 2_000;

/**
 * Returns a token that changes when an entry is added to or removed from a folder, or when the folder is created,
 * replaced or removed.
 *
 * @returns null if the folder changed too recently to detect the next change, or cannot be read
 */
export async function stateOfFolder(path: string): Promise<string | null> {
  try {
    const { ino, mtimeNs, mtimeMs } = await stat(path, { bigint: true });
    return Date.now() - Number(mtimeMs) > coarsestTickMs ? `${String(ino)}:${String(mtimeNs)}` : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : null;
  }
}
