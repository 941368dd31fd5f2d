import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { currentRequest } from '@rdc/http';
import type { EntityManager } from 'typeorm';
import { runPreparedIn } from '../../platform/database/prepared.js';

/** A write in the audit trail. */
export interface AuditedWrite {
  /** The result of {@link actorOf}, or the name of a command or job. */
  readonly actor: string;
  /** A verb: `create`, `update`, `remove`, `publish`, `expose`, ... */
  readonly action: string;
  /** The plural of the record's kind, as in its path. */
  readonly resource: string;
  readonly recordId: string | number;
  /** The record before the write, if there was one. Must not contain a key, a password or their hashes. */
  readonly before?: unknown;
  /** The record after the write, if there is one. */
  readonly after?: unknown;
}

const addEntries = `
  INSERT INTO audit_entries (actor, action, resource, record_id, before, after, request_id, address)
  SELECT actor, action, resource, record_id, before::jsonb, after::jsonb, $7, $8
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         AS write (actor, action, resource, record_id, before, after)`;

/**
 * Adds entries to the audit trail, each with the id of the current request and the address from which it came. The
 * database refuses to change or remove an entry.
 */
@Injectable()
export class AuditTrail {
  /** Adds entries in the transaction of the writes, by one statement. */
  async record(manager: EntityManager, ...writes: readonly AuditedWrite[]): Promise<void> {
    if (writes.length === 0) return;
    const request = currentRequest();
    await runPreparedIn(manager, addEntries, [
      writes.map(({ actor }) => actor),
      writes.map(({ action }) => action),
      writes.map(({ resource }) => resource),
      writes.map(({ recordId }) => String(recordId)),
      writes.map(({ before }) => jsonOrNull(before)),
      writes.map(({ after }) => jsonOrNull(after)),
      request?.id ?? null,
      request?.address ?? null,
    ]);
  }

  /** Sets the actor of the entries that database triggers add until the end of the transaction. */
  async attribute(manager: EntityManager, actor: string): Promise<void> {
    await manager.query(`SELECT set_config('catalog.actor', $1, true)`, [actor]);
  }
}

/**
 * Returns the name of a caller in the trail: `global`, `user:<id>` (by key or session), `endpoint:<id>`,
 * `service:<name>`.
 */
export function actorOf(caller: Principal): string {
  switch (caller.kind) {
    case 'user':
    case 'session':
      return `user:${caller.userId}`;
    case 'endpoint':
      return `endpoint:${caller.endpointId}`;
    case 'service':
      return `service:${caller.name}`;
    case 'global':
    case 'anonymous':
    case 'unknown':
      return caller.kind;
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
