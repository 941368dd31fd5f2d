import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';

/** The beginning of a secret by the Standard Webhooks specification. */
const secretPrefix = 'whsec_';
const secretBytes = 32;
const purpose = 'event signature';

/** Creates, encrypts and decrypts the secrets of subscriptions. */
@Injectable()
export class SubscriptionSecrets {
  constructor(private readonly secrets: AccountSecrets) {}

  create(): string {
    return secretPrefix + randomBytes(secretBytes).toString('base64');
  }

  seal(subscriptionId: number, secret: string): string {
    return this.secrets.seal(purpose, secret, ownerOf(subscriptionId));
  }

  /** Decrypts a secret. @returns null if `KEY_HASH_SECRET` changed without its previous value */
  open(subscriptionId: number, sealed: string): string | null {
    return this.secrets.open(purpose, sealed, ownerOf(subscriptionId))?.text ?? null;
  }
}

function ownerOf(subscriptionId: number): string {
  return `event-subscription:${String(subscriptionId)}`;
}
