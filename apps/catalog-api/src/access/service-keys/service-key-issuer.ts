import { KeyHasher, serviceKeyPrefix, serviceKeyRandomLength } from '@rdc/auth';
import { InvalidInputError } from '@rdc/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import type { CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { randomCharacters } from '../../people/keys/key-characters.js';
import { checkRights, serviceKeyName } from './service-key-rules.js';
import { ServiceKeysRepository, type ServiceKeyColumns } from './service-keys.repository.js';

/** The resource of audit entries about service keys. */
export const serviceKeysResource = 'service-keys';

/** The input for a new service key. */
export interface ServiceKeyInput extends ServiceKeyColumns {
  readonly name: string;
}

/** A new service key with its secret, which is not stored. */
export interface IssuedServiceKey {
  readonly id: number;
  readonly key: string;
}

/** Creates service keys and their secrets within a transaction. Only the keyed hash of a secret is stored. */
@Injectable()
export class ServiceKeyIssuer {
  constructor(
    private readonly hasher: KeyHasher,
    private readonly repository: ServiceKeysRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates a service key.
   *
   * @param actor the name of the caller in the audit trail
   * @param key the secret; by default a random secret
   * @throws InvalidInputError if the name is malformed or was used before, or the rights contradict each other
   */
  async create(
    { manager, touch }: CatalogTransaction,
    { name, ...columns }: ServiceKeyInput,
    actor: string,
    key = newServiceKey(),
  ): Promise<IssuedServiceKey> {
    if (!serviceKeyName.test(name)) {
      const problem = 'must begin with a letter and hold only lower-case letters, digits, dots, dashes and underscores';
      throw new InvalidInputError([{ field: 'name', problem }]);
    }
    checkRights(columns);
    if ((await this.repository.lockNamed(manager, name)) !== undefined) throw takenName();
    const id = await this.repository.insert(manager, name, columns);
    await this.repository.insertSecret(manager, id, this.hasher.hash(key));
    touchLimits(touch, columns);
    const after = { name, ...columns };
    await this.audit.record(manager, { actor, action: 'create', resource: serviceKeysResource, recordId: id, after });
    return { id, key };
  }

  /**
   * Creates another secret of a service key.
   *
   * @param overlapSeconds how long the previous secrets stay valid
   */
  async rotate(
    manager: EntityManager,
    id: number,
    { actor, overlapSeconds, key = newServiceKey() }: { actor: string; overlapSeconds: number; key?: string },
  ): Promise<string> {
    await this.repository.endSecrets(manager, id, overlapSeconds);
    await this.repository.insertSecret(manager, id, this.hasher.hash(key));
    const after = { overlap_seconds: overlapSeconds };
    await this.audit.record(manager, { actor, action: 'rotate', resource: serviceKeysResource, recordId: id, after });
    return key;
  }
}

/** Marks the views of limited service keys as changed, for the records of all projects in the limits. */
export function touchLimits(
  touch: CatalogTransaction['touch'],
  ...keys: readonly Pick<ServiceKeyColumns, 'projects'>[]
): void {
  const limits = keys.flatMap(({ projects }) => projects ?? []);
  if (limits.length > 0) touch({ limits });
}

/** 400: a name is used once, so that the audit trail stays unambiguous. */
export function takenName(): InvalidInputError {
  return new InvalidInputError([{ field: 'name', problem: 'must be a name that no service key has or had' }]);
}

function newServiceKey(): string {
  return `${serviceKeyPrefix}${randomCharacters(serviceKeyRandomLength)}`;
}
