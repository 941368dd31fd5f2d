import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FailureCountsRepository } from './failure-counts.repository.js';

/** Entries of one kind that strangers can cause in one window. Later entries are sampled. */
const entriesPerWindow = 100;

const windowSeconds = 15 * 60;

/**
 * Limits the entries that strangers can cause in the append-only audit trail. In 15 minutes, all replicas together write
 * the first 100 entries of a kind, then the 1,000th, the 10,000th and so on.
 */
@Injectable()
export class AuditBudget {
  constructor(private readonly counts: FailureCountsRepository) {}

  /**
   * Counts one event, in the transaction that writes the entry.
   *
   * @param kind the kind of event, at most 64 characters
   * @returns the number of such events in this window; null if the event gets no entry
   */
  async consume(manager: EntityManager, kind: string): Promise<number | null> {
    const { count } = await this.counts.add('audit', kind, windowSeconds, manager);
    return count <= entriesPerWindow || /^10+$/.test(String(count)) ? count : null;
  }
}
