import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Accessions } from './accessions.js';
import { acquireWritingLock } from './writing-lock.js';

/** Records the prefix of accessions when the service starts, so that commands give accessions with the same prefix. */
@Injectable()
export class AccessionPrefix implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accessions: Accessions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await acquireWritingLock(manager, 0);
      await this.accessions.recordServicePrefix(manager);
    });
  }
}
