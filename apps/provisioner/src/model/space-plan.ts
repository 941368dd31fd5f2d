import type { StorageReserve } from '../settings/storage-reserve.js';
import type { Subject } from './identifier.js';
import type { StagedSize, Storage } from './storage.js';

/** The space that an import needs and the space that exists. A file counts as one inode, like a folder. */
export interface SpacePlan {
  /** Bytes of the whole delivery. */
  readonly needed_bytes: number;
  /** Bytes that earlier starts have staged, or whose removal frees them; null if they were not measured. */
  readonly staged_bytes: number | null;
  /** Bytes that imports may still use, without `STORAGE_RESERVE`; null if the storage reports no limit. */
  readonly free_bytes: number | null;
  /** Bytes that must be freed before the import can run; 0 if the import fits. */
  readonly missing_bytes: number;
  readonly needed_files: number;
  readonly staged_files: number | null;
  /** Files that can still be created; null if the storage reports no limit. */
  readonly free_files: number | null;
  readonly missing_files: number;
}

/** The content of a delivery. */
interface Content {
  readonly bytes: number;
  readonly files: number;
  readonly folders: number;
}

/** The delivery whose space is planned. */
interface SpaceRequest {
  readonly subject: Subject;
  readonly fingerprint: string;
  readonly content: Content;
}

/**
 * Compares the space that an import still needs with the free space. Staged files count towards the import that has
 * staged them. They are measured only if the whole delivery does not fit, because the measurement reads every staged
 * entry.
 */
export async function planSpace(
  storage: Pick<Storage, 'freeSpace' | 'stagedSize'>,
  reserve: StorageReserve,
  { subject, fingerprint, content }: SpaceRequest,
): Promise<SpacePlan> {
  const free = await storage.freeSpace();
  const needed = { bytes: content.bytes, files: content.files + content.folders };
  const planWith = (staged: StagedSize | null): SpacePlan => ({
    needed_bytes: needed.bytes,
    staged_bytes: staged?.bytes ?? null,
    free_bytes: finite(reserve.roomIn(free)),
    missing_bytes: missing(needed.bytes, staged?.bytes, free.bytes - reserve.bytesOf(free)),
    needed_files: needed.files,
    staged_files: staged?.files ?? null,
    free_files: finite(free.files),
    missing_files: missing(needed.files, staged?.files, free.files),
  });
  const plan = planWith(null);
  return fits(plan) ? plan : planWith(await storage.stagedSize(subject, fingerprint));
}

/** Returns whether an import fits into the storage. */
export function fits({ missing_bytes, missing_files }: SpacePlan): boolean {
  return missing_bytes === 0 && missing_files === 0;
}

/** Returns the sentence that states what an import lacks. */
export function shortageOf(plan: SpacePlan): string {
  if (plan.missing_bytes > 0) {
    const { needed_bytes: needed, staged_bytes: staged, free_bytes: free, missing_bytes: lacking } = plan;
    return `The storage has too little free space: ${String(lacking)} bytes are missing (${amounts(needed, staged, free)}).`;
  }
  const { needed_files: needed, staged_files: staged, free_files: free, missing_files: lacking } = plan;
  return `The storage has too few free inodes: ${String(lacking)} are missing (${amounts(needed, staged, free)}).`;
}

function amounts(needed: number, staged: number | null, free: number | null): string {
  return `${String(needed)} needed, ${String(staged ?? 0)} staged, ${String(free)} free`;
}

/** A finished copy needs no more space, so it does not wait for the reserve. */
function missing(needed: number, staged = 0, free: number): number {
  const rest = Math.max(0, needed - staged);
  return rest === 0 ? 0 : Math.max(0, rest - free);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
