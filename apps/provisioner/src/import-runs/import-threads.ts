import { Injectable } from '@nestjs/common';
import { CopyPool } from '../copy/copy-pool.js';
import { StreamPool } from '../copy/stream-pool.js';
import { FileCheckers } from '../fixity/file-checkers.js';

@Injectable()
export class ImportThreads {
  constructor(
    private readonly copies: CopyPool,
    private readonly streams: StreamPool,
    private readonly checkers: FileCheckers,
  ) {}

  async close(): Promise<void> {
    await Promise.all([this.copies.close(), this.streams.close(), this.checkers.close()]);
  }
}
