import { Injectable } from '@nestjs/common';
import type { Copier } from '../copy/copier.js';
import { CopyPool } from '../copy/copy-pool.js';
import { ReadBackCopier } from '../copy/read-back.js';
import { StoreCopies } from '../copy/store-copies.js';
import { StreamPool } from '../copy/stream-pool.js';
import { SourceIndex } from '../source/source-index.js';
import { PlaceScanner } from '../source/place-scanner.js';
import type { SourcePlace } from '../model/source-system.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { Storage, type Attempt } from '../model/storage.js';

/** What every run of an import works with. */
@Injectable()
export class ImportTools {
  private readonly storeCopies: StoreCopies;

  constructor(
    readonly scanner: PlaceScanner,
    readonly index: SourceIndex,
    readonly storage: Storage,
    private readonly threads: CopyPool,
    private readonly streams: StreamPool,
    readonly settings: ProvisionerSettings,
  ) {
    this.storeCopies = new StoreCopies(streams);
  }

  /** What copies, and with VERIFY=readback also reads again what it wrote; what a store copies is read in any case. */
  copierBetween(place: SourcePlace, attempt: Attempt): Copier {
    const moving = this.fastestBetween(place, attempt);
    const copier = this.settings.VERIFY === 'readback' ? new ReadBackCopier(moving, attempt) : moving;
    return this.storeCopies.between(this.scanner.source, place, attempt, copier);
  }

  /** Threads where both sides are folders; else streams through this process. */
  private fastestBetween(place: SourcePlace, attempt: Attempt): Copier {
    const from = this.scanner.source.locate(place);
    const to = attempt.target;
    const areFolders = from !== null && 'folder' in to;
    return areFolders ? this.threads.between(from, to) : this.streams.between(this.scanner.source, place, to);
  }
}
