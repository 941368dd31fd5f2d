import { Injectable, Logger } from '@nestjs/common';
import { tracing } from '@rdc/telemetry';
import { failpoint } from '../process/failpoint.js';
import { FixityLog } from '../fixity/fixity-log.js';
import { ImportFailure, failureOf } from '../model/failure.js';
import { endingOf, errorOf, type EndingFacts, type RejectedDelivery } from '../model/import-ending.js';
import { isCopy, isRemoval, resultOf, type EndedState, type ImportRequest } from '../model/import-record.js';
import { RequestLog } from '../model/request-log.js';
import { Storage } from '../model/storage.js';
import { doubtMs, UnseenSourceFailure } from '../source/source-gate.js';
import { WithdrawalInProgressError, SupersededError } from '../model/storage-failure.js';
import type { ImportRun } from './import-run.js';
import { ImportMetrics } from './import.metrics.js';
import { isCancelled, ImportStatusReporter } from './import-status-reporter.js';
import { done, type NextStep } from './next-step.js';
import { ProgressMeter } from './progress-meter.js';
import { RunFactory } from './run.factory.js';
import { StoredChanges } from './stored-changes.js';
import { findRejection } from './find-rejection.js';
import { firstPauseMs, pauseAfter, releasePauseMs, spacePauseMs } from './retry-pause.js';
import { failureOfDifferences } from './verification.js';

/** Consecutive starts without progress after which an import fails. */
const maxIdleStarts = 5;

/** Consecutive failures without progress after which an import fails. */
const maxFailures = 3;

/** Consecutive changes of a delivery during its copy after which the delivery is rejected. */
const maxSourceChanges = 2;

/** The state of an imported delivery that decides how its import continues after a failure. */
type ImportedDelivery = Pick<ImportRun, 'delivery' | 'settleMs' | 'isSeenOnce'>;

const noDelivery: ImportedDelivery = { delivery: null, settleMs: 0, isSeenOnce: false };

/** An execution of a request: the request with its reporter and meter. */
interface Execution {
  readonly request: ImportRequest;
  readonly reporter: ImportStatusReporter;
  readonly meter: ProgressMeter;
}

/** The executor of requested imports. It decides how an import ends and is independent of the queue. */
@Injectable()
export class ImportExecutor {
  private readonly logger = new Logger(ImportExecutor.name);

  constructor(
    private readonly runs: RunFactory,
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly metrics: ImportMetrics,
    private readonly fixity: FixityLog,
    private readonly changes: StoredChanges,
  ) {}

  /**
   * Executes an attempt from its current state. If the attempt has ended or was replaced, the method does nothing.
   *
   * @throws the reason of the signal if it is aborted. The import stays open, and the next call resumes it.
   */
  async execute(importId: string, attempt: number, signal: AbortSignal): Promise<NextStep> {
    const record = await this.log.find(importId);
    if (!record || record.ending || record.request.attempt !== attempt) return done;
    const { request, status, cancelling } = record;
    failpoint('before_start');
    const meter = new ProgressMeter();
    const reporter = new ImportStatusReporter(this.log, request, meter, status, signal);
    const execution = { request, reporter, meter };
    const { idleStarts } = await reporter.start();
    this.metrics.track(meter);
    try {
      if (cancelling && !isRemoval(request.kind)) return await this.cancel(execution);
      if (idleStarts > maxIdleStarts) {
        const message = `The import made no progress: ${String(maxIdleStarts)} consecutive starts copied no further file or part of a file.`;
        return await this.fail(execution, new ImportFailure('no_progress', message));
      }
      return await this.run(execution);
    } finally {
      this.metrics.untrack(meter);
      meter.stop();
      await reporter.stop();
    }
  }

  private run(execution: Execution): Promise<NextStep> {
    switch (execution.request.kind) {
      case 'verify':
        return this.guard(execution, this.verify(execution));
      case 'withdraw':
        return this.guard(execution, this.withdraw(execution));
      case 'purge':
        return this.guard(execution, this.purge(execution));
      case 'plan':
        return this.guard(execution, this.plan(execution));
      case 'dataset':
      case 'submission':
        return this.import(execution);
    }
  }

  private async import(execution: Execution): Promise<NextStep> {
    const { request, reporter, meter } = execution;
    const run = this.runs.createImport(request, meter);
    try {
      const result = await run.run(
        reporter.signal,
        () => reporter.throwIfCancelled(),
        (key) => findRejection(this.log, request, key),
      );
      if (run.commit) await this.changes.recordImport(request, run.commit);
      return await this.end(execution, 'finished', { result });
    } catch (error) {
      if (error instanceof WithdrawalInProgressError && !reporter.signal.aborted) {
        return this.finishWithdrawal(execution, error.withdrawal);
      }
      return this.handleError(execution, error, run);
    }
  }

  private guard(execution: Execution, work: Promise<NextStep>): Promise<NextStep> {
    return work.catch((error: unknown) => this.handleError(execution, error));
  }

  private async plan(execution: Execution): Promise<NextStep> {
    const { request, reporter, meter } = execution;
    const plan = await this.runs.createPlan(this.log, request, meter).run(reporter.signal);
    return this.end(execution, 'finished', { plan });
  }

  /**
   * Finishes a withdrawal that failed before its end, because it still moves files of the dataset that is imported again.
   * The import holds the only open request of the dataset, so no other process works on the withdrawal. If a suspended
   * process resumes it, the storage refuses the steps of that process.
   */
  private async finishWithdrawal(execution: Execution, withdrawalId: string): Promise<NextStep> {
    const { request, meter } = execution;
    const record = await this.log.find(withdrawalId);
    if (record && !record.ending) return this.yieldOwnership(request);
    this.logger.log(`finishing an unfinished withdrawal: import=${request.id} withdrawal=${withdrawalId}`);
    meter.phase = 'withdrawing';
    try {
      if (record) await this.changes.withdraw(record.request);
      else await this.storage.withdraw(request.subject, '', withdrawalId);
      return { step: 'retry', afterMs: 0 };
    } catch (error) {
      return this.handleError(execution, error, noDelivery, (cause) => {
        const { code, message } = failureOf(cause);
        const text = `Withdrawal ${withdrawalId} of ${request.subject.id} has to finish first: ${message}`;
        return new ImportFailure(code, text, [], cause);
      });
    }
  }

  private async verify(execution: Execution): Promise<NextStep> {
    const { request, reporter, meter } = execution;
    const verification = this.runs.createVerification(request.subject, meter);
    const { result, failures } = await verification.run(reporter.signal);
    if (failures.count === 0) return this.end(execution, 'finished', { result });
    return this.fail(execution, failureOfDifferences(failures));
  }

  /**
   * Withdraws a dataset. A withdrawal can be cancelled until its first step, because afterwards the dataset would be
   * neither imported nor withdrawn. An earlier start may have taken that step.
   */
  private async withdraw(execution: Execution): Promise<NextStep> {
    const { request, reporter, meter } = execution;
    meter.phase = 'withdrawing';
    const published = await this.storage.findCommit(request.subject);
    if (published?.import_id === request.withdraws) await reporter.throwIfCancelled();
    return this.end(execution, 'finished', { result: await this.changes.withdraw(request) });
  }

  /** Purges a withdrawn dataset. A purge can be cancelled until any start has begun to remove files. */
  private async purge(execution: Execution): Promise<NextStep> {
    const { request, reporter, meter } = execution;
    meter.phase = 'purging';
    if (!(await this.changes.isPurgeStarted(request))) await reporter.throwIfCancelled();
    return this.end(execution, 'finished', { result: await this.changes.purge(request) });
  }

  private async handleError(
    execution: Execution,
    error: unknown,
    delivery: ImportedDelivery = noDelivery,
    toFailure: (error: unknown) => ImportFailure = failureOf,
  ): Promise<NextStep> {
    if (execution.reporter.signal.aborted) return this.handleAbort(execution);
    if (error instanceof SupersededError) return this.yieldOwnership(execution.request);
    return this.decide(execution, toFailure(error), delivery);
  }

  /** Ends the import if it was cancelled. @throws the reason of the signal if the process must release the import */
  private async handleAbort(execution: Execution): Promise<NextStep> {
    const { signal } = execution.reporter;
    if (!isCancelled(signal)) throw signal.reason;
    return this.cancel(execution);
  }

  /** Cancels an import. An import that was published before the cancellation ends as finished. */
  private async cancel(execution: Execution): Promise<NextStep> {
    const { request } = execution;
    if (!isCopy(request.kind)) return this.end(execution, 'cancelled');
    await this.storage.discard(request.subject);
    const commit = await this.storage.completePublication(request.subject);
    if (!commit) return this.end(execution, 'cancelled');
    await this.changes.recordImport(request, commit);
    return this.end(execution, 'finished', { result: resultOf(commit, this.storage.pathOf(commit)) });
  }

  /** Leaves the import to its new owner. The retry resumes the import if the new owner is killed. */
  private yieldOwnership({ id }: ImportRequest): NextStep {
    this.logger.warn(`another start has taken over the import: import=${id}`);
    return { step: 'retry', afterMs: firstPauseMs };
  }

  private async decide(execution: Execution, failure: ImportFailure, delivery: ImportedDelivery): Promise<NextStep> {
    const { code, problems, cause, disposition } = failure;
    // File names may identify persons, so the log contains only their number.
    this.logger.warn(`import failed: import=${execution.request.id} code=${code} files=${String(problems.length)}`);
    if (code === 'internal') this.logger.error(cause);
    this.metrics.countFailure(code);
    tracing.fail(code);
    if (failure instanceof UnseenSourceFailure) return this.release(execution, failure);
    const isChanged = code === 'source.changed' || (code === 'source.not_ready' && delivery.isSeenOnce);
    const failures = execution.reporter.recordFailure(isChanged);
    switch (disposition) {
      case 'reject':
        if (isChanged && failures < maxSourceChanges)
          return this.pause(execution, failure, Math.max(firstPauseMs, delivery.settleMs));
        return this.reject(execution, failure, delivery.delivery);
      case 'fail':
        return this.fail(execution, failure);
      case 'wait':
        return this.pause(execution, failure, spacePauseMs);
      case 'retry':
        if (failures < maxFailures) return this.pause(execution, failure, pauseAfter(failures));
        return this.fail(execution, failure);
    }
  }

  /** Leaves the import to a worker that sees its delivery. If none does so for long enough, the delivery was removed. */
  private async release(execution: Execution, failure: UnseenSourceFailure): Promise<NextStep> {
    const { request, reporter } = execution;
    if (reporter.recordUnseen() > doubtMs && !failure.doubt.isCertain) {
      const message = `${request.subject.id} is in the source of no worker. ${failure.message}`;
      return this.fail(execution, new ImportFailure('source.gone', message));
    }
    await reporter.wait(errorOf(failure), releasePauseMs);
    return { step: 'release', afterMs: releasePauseMs };
  }

  private async pause({ reporter }: Execution, failure: ImportFailure, afterMs: number): Promise<NextStep> {
    await reporter.wait(errorOf(failure), afterMs);
    return { step: 'retry', afterMs };
  }

  private async reject(
    execution: Execution,
    failure: ImportFailure,
    rejected: RejectedDelivery | null,
  ): Promise<NextStep> {
    if (isCopy(execution.request.kind)) await this.storage.discard(execution.request.subject);
    return this.end(execution, 'rejected', { failure, rejected });
  }

  private fail(execution: Execution, failure: ImportFailure): Promise<NextStep> {
    return this.end(execution, 'failed', { failure });
  }

  private async end(
    { request, reporter }: Execution,
    state: EndedState,
    outcome: Pick<EndingFacts, 'result' | 'failure' | 'rejected' | 'plan'> = {},
  ): Promise<NextStep> {
    const { id, kind, subject, requested_at } = request;
    await reporter.stop();
    // A verification without a result counts too. Otherwise each round would start with the same dataset.
    if (kind === 'verify' && state !== 'cancelled') await this.fixity.recordCheck(subject.id);
    const { startedAt, plan } = reporter;
    const ending = endingOf(request, state, { startedAt, progress: reporter.progress(), plan, ...outcome });
    await this.changes.recordEnding(ending);
    await this.log.end(ending);
    this.metrics.countEnd(kind, state, ending.started_at ?? requested_at);
    this.logger.log(`import ended: import=${id} kind=${kind} subject=${subject.id} state=${state}`);
    return done;
  }
}
