import { Injectable } from '@nestjs/common';
import type { CallerRule, Principal } from '@rdc/auth';
import { DataSource } from 'typeorm';
import { requireCaller } from '../../platform/administration/require-caller.js';
import { EventDeliveriesRepository } from './event-deliveries.repository.js';
import type { ImportEvent } from './import-event.dto.js';

/** The callers that may report the end of an import: the provisioner, which also reports where it stores data. */
export const importReporters = ['global', 'scope:storages:write'] as const satisfies readonly CallerRule[];

/** Adds the events that the provisioner reports. */
@Injectable()
export class ImportEventsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly deliveries: EventDeliveriesRepository,
  ) {}

  /** Adds the event for the subscribers of its type. A repeated report has no effect. */
  async add(caller: Principal, { type, ...data }: ImportEvent): Promise<void> {
    requireCaller(caller, importReporters);
    const origin = `${type} ${data.import_id} ${String(data.attempt)}`;
    await this.dataSource.transaction(async (manager) => {
      const subscribers = await this.deliveries.subscribersOf(manager, type);
      await this.deliveries.add(manager, { type, data, origin }, subscribers);
    });
  }
}
