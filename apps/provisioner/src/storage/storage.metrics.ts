import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import { Registry } from 'prom-client';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { Storage } from '../model/storage.js';

/** A metric of the available space. It has no value if the storage does not report its space. */
@Injectable()
export class StorageMetrics {
  constructor(storage: Storage, { STORAGE_RESERVE }: ProvisionerSettings, registry: Registry) {
    addReading(registry, {
      name: 'provisioner_storage_free_bytes',
      help: 'Bytes available to imports, without STORAGE_RESERVE; absent if the storage does not report its space.',
      read: async () => {
        const room = STORAGE_RESERVE.roomIn(await storage.freeSpace());
        return Number.isFinite(room) ? room : {};
      },
    });
  }
}
