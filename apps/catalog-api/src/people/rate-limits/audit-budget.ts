import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FailureCountsRepository } from './failure-counts.repository.js';

/** Entries of one kind that strangers can cause in one window. */
const entriesPerWindow = 100;

const windowSeconds = 15 * 60;

/**
 * Bounds the entries that strangers can cause in the append-only audit trail: of each kind a hundred in a quarter of an
 * hour over all replicas, then the thousandth, the ten-thousandth and so on.
 */
@Injectable()
export class AuditBudget {
  constructor(private readonly counts: FailureCountsRepository) {}

  /**
   * Counts one event, in the transaction that writes the entry.
   *
   * @param kind 64 characters at most
   * @returns the number of such events in this window if the event deserves an entry; null if it does not
   */
  async spend(manager: EntityManager, kind: string): Promise<number | null> {
    const { count } = await this.counts.add('audit', kind, windowSeconds, manager);
    return count <= entriesPerWindow || /^10+$/.test(String(count)) ? count : null;
  }
}
