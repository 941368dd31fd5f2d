import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What a person may use. */
export interface HeldPermissions {
  /** Whether anything here knows this identifier: a user, a contact or an entitlement. */
  readonly known: boolean;
  /** Accessions of the datasets, sorted, each once. */
  readonly datasets: readonly string[];
}

/**
 * A person's accesses by their identifier: those that carry it, those of the user and those of a contact who carries
 * it. A deactivated user holds nothing. An exposure counts although deprecated; `$2` limits it to one endpoint.
 */
export const permissionsOf = `
  WITH person AS (
    SELECT (SELECT id FROM users WHERE subject = $1) AS user_id,
           (SELECT id FROM contacts WHERE subject = $1) AS contact_id),
  held AS (
    SELECT access.dataset_id, access.status, access.expires_at
      FROM person JOIN accesses AS access
        ON access.subject = $1 OR access.user_id = person.user_id OR access.contact_id = person.contact_id)
  SELECT (SELECT user_id IS NOT NULL OR contact_id IS NOT NULL FROM person) OR EXISTS (SELECT FROM held) AS known,
         ARRAY(SELECT DISTINCT dataset.external_id COLLATE "C" FROM held JOIN datasets AS dataset ON dataset.id = held.dataset_id
                WHERE held.status = 'active' AND (held.expires_at IS NULL OR held.expires_at > now())
                  AND dataset.external_id IS NOT NULL
                  AND NOT EXISTS (SELECT FROM users WHERE subject = $1 AND NOT active)
                  AND EXISTS (SELECT FROM exposures
                               WHERE dataset_id = dataset.id AND ($2::integer IS NULL OR endpoint_id = $2))
                ORDER BY 1) AS datasets`;

/** Who may use which dataset, as the database has it. */
@Injectable()
export class PermissionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** One statement, however many accesses. @param endpointId limits it to what is exposed there; null for anywhere */
  async heldBy(subject: string, endpointId: string | null): Promise<HeldPermissions> {
    const [held] = await this.dataSource.query<[HeldPermissions]>(permissionsOf, [subject, endpointId]);
    return held;
  }
}
