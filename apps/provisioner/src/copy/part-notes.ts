import { fdatasync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import type { TargetLocation } from '../model/workspace.js';
import type { CopyOrder } from './copy-messages.js';
import type { Digests } from './digests.js';
import { CopyError } from './pump.js';

const flush = promisify(fdatasync);

/** The least time in milliseconds between two notes about one file. A killed worker loses the copy since the last note. */
const intervalMs = 3_000;

/**
 * The least time between two notes as a multiple of the time of the last flush. The copies of a process share few threads
 * for their calls, so flushes of a slow disk must not occupy these threads.
 */
const flushShare = 4;

/**
 * The age in milliseconds from which a change of a file is visible in its version. A file system may round the time of a
 * change, so that a second change within this time leaves the version as it is.
 */
const coarsestTickMs = 2_000;

const noteMode = 0o640;

/** A note about the staged part of a large file, from which a later attempt continues the copy. */
export interface PartNote {
  /** The version of the file in the source. */
  readonly version: string;
  /** The number of bytes from the beginning of the file that were flushed before the note was written. */
  readonly bytes: number;
  /** The SHA-256 of these bytes as they were read from the source, hexadecimal. */
  readonly sha256: string;
}

/** Returns the path of the note about a file. */
function pathOf({ notes }: TargetLocation, { path }: CopyOrder): string {
  return `${notes}/${hash('sha256', path, 'base64url')}`;
}

/** Reads the note of an earlier attempt. @returns null if there is none about this version of the file */
export function readPartNote(target: TargetLocation, order: CopyOrder): PartNote | null {
  try {
    const note = JSON.parse(readFileSync(pathOf(target, order), 'utf8')) as PartNote;
    return note.version === order.version && note.bytes > 0 ? note : null;
  } catch {
    // A note that is missing or truncated costs only time: the file is copied from its beginning.
    return null;
  }
}

/** Returns whether the version of a file shows every change since now, so that equal versions have equal bytes. */
export function isVersionConclusive(changedAtMs: number): boolean {
  return Date.now() - changedAtMs > coarsestTickMs;
}

/**
 * The notes about one file during its copy. Each note states bytes that were flushed before, so it holds after a crash of
 * the machine. Notes are written by path, so an attempt whose folder was taken over cannot write them.
 */
export class PartNotes {
  private readonly target: TargetLocation;
  private readonly order: CopyOrder;
  private readonly output: number;
  private readonly digests: Digests;
  private position = 0;
  private nextAt = performance.now() + intervalMs;
  private saving: Promise<void> | null = null;
  private failure: CopyError | null = null;

  /** @param digests of the bytes before the position that `written` states */
  constructor(target: TargetLocation, order: CopyOrder, output: number, digests: Digests) {
    this.target = target;
    this.order = order;
    this.output = output;
    this.digests = digests;
  }

  /** Writes a note from time to time, without waiting. @throws the failure of an earlier flush */
  written(position: number): void {
    this.position = position;
    if (this.failure !== null) throw this.failure;
    if (this.saving === null && performance.now() >= this.nextAt) this.begin();
  }

  /** Waits for the note that is being written. Must be called before the file is closed. @throws the failure of a flush */
  async settle(): Promise<void> {
    await this.saving;
    if (this.failure !== null) throw this.failure;
  }

  /** Writes the last note about a copy that is stopped. */
  async stop(): Promise<void> {
    await this.settle();
    if (this.position > 0) this.begin();
    await this.settle();
  }

  private begin(): void {
    const note = { version: this.order.version, bytes: this.position, sha256: this.digests.soFar() };
    this.extendTo(note.bytes);
    const startedAt = performance.now();
    this.saving = this.save(note)
      .catch((error: unknown) => {
        this.failure = new CopyError('storage', error);
      })
      .finally(() => {
        const now = performance.now();
        this.nextAt = now + Math.max(intervalMs, flushShare * (now - startedAt));
        this.saving = null;
      });
  }

  /**
   * Extends a file whose last block is a hole. A write of the zero that the source has there is harmless even if another
   * attempt has continued the file, unlike a change of the length.
   */
  private extendTo(bytes: number): void {
    if (fstatSync(this.output).size < bytes) writeSync(this.output, Buffer.alloc(1), 0, 1, bytes - 1);
  }

  private async save(note: PartNote): Promise<void> {
    await flush(this.output);
    const path = pathOf(this.target, this.order);
    try {
      const file = await open(`${path}.tmp`, 'w', noteMode);
      try {
        await file.writeFile(JSON.stringify(note));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.tmp`, path);
    } catch (error) {
      // On a full disk the note before stays valid. A missing folder was taken over by another attempt.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    }
  }
}
