import { Injectable, Logger } from '@nestjs/common';
import { ImportRequests } from '../imports/import-requests.js';
import { isPurged, WithdrawalLog } from '../model/withdrawal-log.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';

const dayMs = 86_400_000;

/** The periodic purge of datasets that were withdrawn `PURGE_WITHDRAWN_DAYS` days ago. */
@Injectable()
export class PurgeRound {
  private readonly logger = new Logger(PurgeRound.name);

  constructor(
    private readonly withdrawals: WithdrawalLog,
    private readonly requests: ImportRequests,
    private readonly settings: ProvisionerSettings,
  ) {}

  /**
   * Submits the purges that are due. A repeated call submits no purge again. A purge that another import or withdrawal
   * of the dataset blocks is submitted by a later call.
   */
  async run(now = Date.now()): Promise<void> {
    const { PURGE_WITHDRAWN_DAYS: days } = this.settings;
    if (days === undefined) return;
    const options = { requested_by: 'PURGE_WITHDRAWN_DAYS', requested_from: 'schedule' };
    const reason = `withdrawn more than ${String(days)} days ago`;
    for (const withdrawal of (await this.withdrawals.all()).bySubject.values()) {
      if (isPurged(withdrawal) || Date.parse(withdrawal.withdrawn_at) > now - days * dayMs) continue;
      try {
        await this.requests.purge(withdrawal, reason, options);
      } catch (error) {
        this.logger.warn(
          `purge not submitted: dataset=${withdrawal.dataset} withdrawal=${withdrawal.id}: ${String(error)}`,
        );
      }
    }
  }
}
