import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { OutageLog, ReadinessProbe, ReadOnlyDependencyError } from '@rdc/http';
import { AccessRequestSystem, MissingRoleError } from './access-request-system.js';

/** The age after which the last check is repeated. */
const maxAgeMs = 60_000;

/** The time that a check waits for the access-request system. Readiness waits at most two seconds. */
const checkTimeoutMs = 1_500;

/**
 * Reports whether the user of the catalog may read the entitlements of all users at the access-request system. The service
 * stays ready without the rights, because only new accesses wait for the rights. An unreachable system changes nothing.
 */
@Injectable()
export class ReadingRightsProbe extends ReadinessProbe implements OnApplicationBootstrap {
  readonly dependency = 'accessreq_rights';
  private readonly outages = new OutageLog(
    'checking the rights at the access-request system',
    new Logger(ReadingRightsProbe.name),
  );
  private checkedAt = -Infinity;
  private last: MissingRoleError | undefined;

  constructor(private readonly system: AccessRequestSystem) {
    super();
  }

  /** Checks the rights in the background, so that an operator reads the result at the start. */
  onApplicationBootstrap(): void {
    void this.refresh();
  }

  async check(): Promise<void> {
    await this.refresh();
    if (this.last && this.system.rights === 'missing') throw new ReadOnlyDependencyError(this.last.message, this.last);
  }

  private async refresh(): Promise<void> {
    const isRecent = performance.now() - this.checkedAt < maxAgeMs && this.system.rights !== 'missing';
    if (isRecent) return;
    this.checkedAt = performance.now();
    try {
      await this.system.checkRights(AbortSignal.timeout(checkTimeoutMs));
      this.last = undefined;
      this.outages.succeeded();
    } catch (error) {
      if (error instanceof MissingRoleError) this.last = error;
      this.outages.failed(error);
    }
  }
}
