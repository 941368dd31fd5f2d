import { Logger } from '@nestjs/common';
import type { Records } from '../model/records.js';
import { faultOf } from './storage-fault.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { Storage } from '../model/storage.js';

/** Methods of a storage that rely on its guarantees. Every import begins with one of them. */
const storageWrites = [
  'openAttempt',
  'claimShard',
  'completePublication',
  'withdraw',
  'purge',
  'discard',
  'writeDocument',
  'tryWriting',
] as const;

/** Methods of records that rely on the guarantees of the storage. */
const recordWrites = ['write', 'replace', 'create', 'remove', 'removeIf'] as const;

/**
 * Probes the guarantees of a storage once. The probe writes, so it fails while the storage is not writable. Until the
 * probe has succeeded, each write through {@link guardStorage} and {@link guardRecords} repeats the probe first, and
 * fails if the probe fails.
 */
export class StorageGuarantees {
  private readonly logger = new Logger(StorageGuarantees.name);
  private proof: Promise<void> | undefined;
  private lastFailure: string | undefined;

  /** @param probe tries the guarantees with real writes, as {@link Storage.probe} does */
  constructor(private readonly probe: () => Promise<void>) {}

  /**
   * Resolves at once if a previous probe succeeded. Concurrent callers share one probe.
   *
   * @throws StorageFailure if the probe fails; the next call repeats the probe
   */
  prove(): Promise<void> {
    this.proof ??= this.tryProbe();
    return this.proof;
  }

  /**
   * Runs the first probe. A storage that is full or read-only does not stop the start, because reads do not need the
   * guarantees.
   *
   * @throws StorageFailure if the probe fails for any other reason
   */
  async proveAtStart(): Promise<void> {
    try {
      await this.prove();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  /** Returns the storage with writes that first await {@link prove}. */
  guardStorage(storage: Storage): Storage {
    return this.guard(storage, storageWrites);
  }

  /** Returns the records with writes that first await {@link prove}. */
  guardRecords(records: Records): Records {
    return this.guard(records, recordWrites);
  }

  private async tryProbe(): Promise<void> {
    try {
      await this.probe();
    } catch (error) {
      this.proof = undefined;
      this.logFailure(error);
      throw error;
    }
    if (this.lastFailure !== undefined)
      this.logger.log('the storage is writable and its guarantees hold; accepting imports');
  }

  /** Logs one line for each new reason, instead of one line for each refused write. */
  private logFailure(error: unknown): void {
    const reason = isPassing(error) ? faultOf((error as StorageFailure).errno) : String(error);
    if (reason === this.lastFailure) return;
    this.lastFailure = reason;
    this.logger.warn(`not accepting imports until the storage is writable and passes its probe: ${String(error)}`);
  }

  private guard<T extends object>(target: T, writes: readonly (keyof T)[]): T {
    return new Proxy(target, {
      get: (object, name): unknown => {
        const member: unknown = Reflect.get(object, name);
        if (typeof member !== 'function') return member;
        if (!writes.includes(name as keyof T)) return member.bind(object) as unknown;
        return async (...values: unknown[]): Promise<unknown> => {
          await this.prove();
          return Reflect.apply(member, object, values);
        };
      },
    });
  }
}

/** Returns whether a failure can end without a change of the settings: the storage is full or read-only. */
function isPassing(error: unknown): boolean {
  return error instanceof StorageFailure && ['disk_full', 'read_only'].includes(faultOf(error.errno));
}
