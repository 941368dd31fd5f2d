import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import { Registry } from 'prom-client';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { Storage } from '../model/storage.js';

/** How much room is left, where the storage can tell. */
@Injectable()
export class StorageMetrics {
  constructor(storage: Storage, { STORAGE_RESERVE }: ProvisionerSettings, registry: Registry) {
    addReading(registry, {
      name: 'provisioner_storage_free_bytes',
      help: 'Bytes that imports may still take, STORAGE_RESERVE left out; absent where the storage cannot tell.',
      read: async () => {
        const room = STORAGE_RESERVE.roomIn(await storage.freeSpace());
        return Number.isFinite(room) ? room : {};
      },
    });
  }
}
