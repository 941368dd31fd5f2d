import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { IdentityProviderSettings } from '../identity-provider/identity-provider.settings.js';
import { AccountsRepository } from './accounts.repository.js';
import type { IdentitySyncResponse } from './identity-sync.dto.js';

/** Returns the state of the synchronisation with the identity provider. Administrators only. */
@Injectable()
export class IdentitySyncService {
  constructor(
    private readonly settings: IdentityProviderSettings,
    private readonly accounts: AccountsRepository,
  ) {}

  async get(caller: Principal): Promise<IdentitySyncResponse> {
    requireAdministrator(caller);
    const { IDP_PROVIDER: provider, IDP_SYNC_CRON: schedule } = this.settings;
    const latest = await this.accounts.findLatestSync();
    return {
      provider,
      schedule: schedule ?? null,
      latest: latest && { ...latest.report, finished_at: latest.finishedAt },
    };
  }
}
