import { Injectable } from '@nestjs/common';
import type { Copier } from '../copy/copier.js';
import { CopyPool } from '../copy/copy-pool.js';
import { FolderTarget } from '../copy/folder-target.js';
import { ReadBackCopier } from '../copy/read-back.js';
import { StoreCopies } from '../copy/store-copies.js';
import { StreamPool } from '../copy/stream-pool.js';
import { SourceSystem, type SourcePlace } from '../model/source-system.js';
import type { StoredFile, Workspace } from '../model/workspace.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';

/** The factory of copiers between a place of the source and the staging area of an import. */
@Injectable()
export class CopierFactory {
  private readonly storeCopies: StoreCopies;

  constructor(
    private readonly source: SourceSystem,
    private readonly threads: CopyPool,
    private readonly streams: StreamPool,
    private readonly settings: ProvisionerSettings,
  ) {
    this.storeCopies = new StoreCopies(streams);
  }

  /**
   * Creates a copier. With `VERIFY=readback` the copier reads each written file again. Copies made by a store are always
   * read.
   */
  create(place: SourcePlace, staging: Workspace): Copier {
    const direct = this.createDirect(place, staging);
    const copier = this.settings.VERIFY === 'readback' ? new ReadBackCopier(direct, staging) : direct;
    return this.storeCopies.between(this.source, place, staging, copier);
  }

  /** Creates a copier that only reads the files of a place, for their checksums. */
  createReader(place: SourcePlace): Copier {
    return this.streams.between(this.source, place, { write: readToEnd });
  }

  /** Ends the copy threads. */
  close(): Promise<void> {
    return this.threads.close();
  }

  /** Creates a copier with threads if both sides are folders, and otherwise with streams through this process. */
  private createDirect(place: SourcePlace, { target }: Workspace): Copier {
    const folder = this.source.locate(place);
    if (!('folder' in target)) return this.streams.between(this.source, place, target);
    if (folder !== null) return this.threads.between(folder, target);
    return this.streams.between(this.source, place, new FolderTarget(target.folder));
  }
}

async function readToEnd(_: StoredFile, content: AsyncIterable<Buffer>): Promise<void> {
  const bytes = content[Symbol.asyncIterator]();
  while ((await bytes.next()).done !== true);
}
