import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The permissions of a person. */
export interface HeldPermissions {
  /** Whether a user, a contact or an entitlement has this identifier. */
  readonly known: boolean;
  /** Accessions of the datasets, sorted and unique. */
  readonly datasets: readonly string[];
}

/**
 * Selects the accesses with a person's identifier, of the user with the identifier, and of the contact with the
 * identifier. A deactivated user has no access. Deprecated exposures count. `$2` limits the exposures to one endpoint.
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

/** The statement that finds the datasets a person may use. */
@Injectable()
export class PermissionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the permissions of a person. @param endpointId limits datasets to those exposed to the endpoint, if not null */
  async heldBy(subject: string, endpointId: string | null): Promise<HeldPermissions> {
    const [held] = await this.dataSource.query<[HeldPermissions]>(permissionsOf, [subject, endpointId]);
    return held;
  }
}
