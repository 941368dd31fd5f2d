import { Injectable, Logger } from '@nestjs/common';
import { tracing } from '@rdc/telemetry';
import { randomUUID } from 'node:crypto';
import { failpoint } from '../process/failpoint.js';
import { FileCheckers } from '../fixity/file-checkers.js';
import { FixityLog } from '../fixity/fixity-log.js';
import { PostImportTasks } from '../post-import/post-import-tasks.js';
import { ImportFailure, failureOf, type FileFailure } from '../model/failure.js';
import type { ProblemList } from '../model/problem-list.js';
import { ImportMetrics } from './import.metrics.js';
import { ImportRun, resultOf } from './import-run.js';
import { ImportTools } from './copier.factory.js';
import type { Subject } from '../model/identifier.js';
import { endingOf, errorOf, type EndingFacts } from '../model/import-ending.js';
import type { EndedState, ImportRequest } from '../model/import-record.js';
import { ProgressMeter } from './progress-meter.js';
import { RequestLog } from '../model/request-log.js';
import { WithdrawalInProgressError, SupersededError } from '../model/storage-failure.js';
import { isCancelled, ImportStatusReporter } from './import-status-reporter.js';
import { Verification } from './verification.js';

/** Starts in a row that kept nothing new after which an import is given up. */
const maxIdleStarts = 5;

/** Failures of ours in a row that kept nothing new after which an import is given up. */
const maxIdleTries = 3;

/** Times a delivery that changed while it was copied is looked at again before it is rejected. */
const maxChangedTries = 2;

const firstPauseMs = 5_000;
const longestPauseMs = 10 * 60_000;
const spacePauseMs = 30_000;

/** What the caller, who holds the job, does next. */
export type NextStep = { readonly step: 'done' } | { readonly step: 'again'; readonly afterMs: number };

const done: NextStep = { step: 'done' };

/** Runs an import that was asked for, and decides what becomes of it. Knows no queue. */
@Injectable()
export class ImportExecutor {
  private readonly logger = new Logger(ImportExecutor.name);

  constructor(
    private readonly tools: ImportTools,
    private readonly log: RequestLog,
    private readonly metrics: ImportMetrics,
    private readonly checkers: FileCheckers,
    private readonly fixity: FixityLog,
    private readonly followUps: PostImportTasks,
  ) {}

  /**
   * Looks at what the import is now and brings it further. Called late or twice it finds nothing to do.
   *
   * @throws the reason of the signal when it is aborted; nothing is ended then, and the next call goes on
   */
  async execute(importId: string, attempt: number, signal: AbortSignal): Promise<NextStep> {
    const record = await this.log.find(importId);
    if (!record || record.ending || record.request.attempt !== attempt) return done;
    const { request } = record;
    failpoint('before_start');
    const meter = new ProgressMeter();
    const keeper = new ImportStatusReporter(this.log, request, meter, record.status, signal);
    const { idleStarts } = await keeper.start();
    this.metrics.track(meter);
    try {
      if (record.cancelling && request.kind !== 'withdraw') return await this.cancel(request, keeper);
      if (idleStarts > maxIdleStarts) {
        const message = `${String(maxIdleStarts)} starts in a row ended without one more file, or part of a large one.`;
        return await this.fail(request, keeper, new ImportFailure('no_progress', message));
      }
      return await this.run(request, keeper, meter);
    } finally {
      this.metrics.untrack(meter);
      meter.stop();
      await keeper.stop();
    }
  }

  private async run(request: ImportRequest, keeper: ImportStatusReporter, meter: ProgressMeter): Promise<NextStep> {
    const { kind } = request;
    if (kind === 'verify') return this.verify(request, keeper, meter);
    if (kind === 'withdraw') return this.withdraw(request, keeper, meter);
    const run = new ImportRun(this.tools, { ...request, kind }, meter, `${request.id}-${randomUUID()}`);
    try {
      const result = await run.run(keeper.signal, () => keeper.throwIfCancelled());
      if (run.commit) await this.followUps.recordChange(request.id, run.commit);
      return await this.end(request, keeper, 'finished', { result });
    } catch (error) {
      if (keeper.signal.aborted) return this.handleAbort(request, keeper);
      if (error instanceof WithdrawalInProgressError) {
        return this.finishWithdrawal({ ...request, kind }, keeper, meter, error.withdrawal);
      }
      if (error instanceof SupersededError) return this.yieldOwnership(request);
      return this.decide(request, keeper, failureOf(error), run.rejectionKey);
    }
  }

  /**
   * Goes on with a withdrawal that has failed half-way, as its retry would, before what it moves aside is imported anew.
   * The import's request is the only open one of the dataset: nobody else works for the withdrawal, unless thought dead,
   * and whoever does is refused once this start of it has taken over.
   */
  private async finishWithdrawal(
    request: ImportRequest & Pick<Subject, 'kind'>,
    keeper: ImportStatusReporter,
    meter: ProgressMeter,
    withdrawal: string,
  ): Promise<NextStep> {
    const record = await this.log.find(withdrawal);
    if (record && !record.ending) return this.yieldOwnership(request);
    this.logger.log(`import ${request.id}: withdrawal ${withdrawal} has not finished, and is gone on with first`);
    meter.phase = 'withdrawing';
    try {
      const subject = { kind: request.kind, id: request.subject };
      await this.tools.storage.withdraw(subject, record?.request.withdraws ?? '', withdrawal);
      return { step: 'again', afterMs: 0 };
    } catch (error) {
      if (keeper.signal.aborted) return this.handleAbort(request, keeper);
      if (error instanceof SupersededError) return this.yieldOwnership(request);
      const { code, message } = failureOf(error);
      const why = `Withdrawal ${withdrawal} of ${request.subject} has to finish first: ${message}`;
      return this.decide(request, keeper, new ImportFailure(code, why, [], error), null);
    }
  }

  private async verify(request: ImportRequest, keeper: ImportStatusReporter, meter: ProgressMeter): Promise<NextStep> {
    try {
      const { storage } = this.tools;
      const subject = { kind: 'dataset', id: request.subject } as const;
      const check = new Verification(storage, subject, meter, this.checkers.of(subject));
      const { result, failures } = await check.run(keeper.signal);
      if (failures.count === 0) return await this.end(request, keeper, 'finished', { result });
      return await this.fail(request, keeper, differingFailure(failures));
    } catch (error) {
      if (keeper.signal.aborted) return this.handleAbort(request, keeper);
      return this.decide(request, keeper, failureOf(error), null);
    }
  }

  /**
   * From its first step on it cannot be cancelled: a withdrawal half done would be neither in nor out. An earlier start
   * may have taken that step.
   */
  private async withdraw(
    request: ImportRequest,
    keeper: ImportStatusReporter,
    meter: ProgressMeter,
  ): Promise<NextStep> {
    meter.phase = 'withdrawing';
    try {
      const { storage } = this.tools;
      const subject = { kind: 'dataset', id: request.subject } as const;
      const standing = await storage.findCommit(subject);
      if (standing?.import_id === request.withdraws) await keeper.throwIfCancelled();
      const { path, commit } = await storage.withdraw(subject, request.withdraws ?? '', request.id);
      await this.followUps.recordChange(request.id, commit);
      const { files, bytes, manifest_sha256 } = commit.content;
      return await this.end(request, keeper, 'finished', { result: { path, files, bytes, manifest_sha256 } });
    } catch (error) {
      if (keeper.signal.aborted) return this.handleAbort(request, keeper);
      if (error instanceof SupersededError) return this.yieldOwnership(request);
      return this.decide(request, keeper, failureOf(error), null);
    }
  }

  /** Removes what an import has staged. */
  private async discard({ kind, subject }: ImportRequest): Promise<void> {
    if (kind === 'dataset' || kind === 'submission') await this.tools.storage.discard({ kind, id: subject });
  }

  /** Stopped from outside: by whoever cancelled it, which ends it, or by the process, which gives it back. */
  private async handleAbort(request: ImportRequest, keeper: ImportStatusReporter): Promise<NextStep> {
    if (!isCancelled(keeper.signal)) throw keeper.signal.reason;
    return this.cancel(request, keeper);
  }

  /** What was published before anybody heard of the cancellation stays so. */
  private async cancel(request: ImportRequest, keeper: ImportStatusReporter): Promise<NextStep> {
    const { kind, subject: id } = request;
    if (kind !== 'dataset' && kind !== 'submission') return this.end(request, keeper, 'cancelled');
    await this.discard(request);
    const { storage } = this.tools;
    const commit = await storage.completePublication({ kind, id });
    if (!commit) return this.end(request, keeper, 'cancelled');
    await this.followUps.recordChange(request.id, commit);
    return this.end(request, keeper, 'finished', { result: resultOf(storage, commit) });
  }

  /** Somebody else has taken over: what becomes of the import is theirs to say. Looks again later, should they die. */
  private yieldOwnership({ id }: ImportRequest): NextStep {
    this.logger.warn(`import ${id}: another attempt has taken over`);
    return { step: 'again', afterMs: firstPauseMs };
  }

  private async decide(
    request: ImportRequest,
    keeper: ImportStatusReporter,
    failure: ImportFailure,
    fingerprint: string | null,
  ): Promise<NextStep> {
    // Names of files may say whose they are; they are with the import, for who may see it.
    this.logger.warn(`import ${request.id}: ${failure.code}, files concerned: ${String(failure.problems.length)}`);
    if (failure.code === 'internal') this.logger.error(failure.cause);
    this.metrics.countFailure(failure.code);
    tracing.fail(failure.code);
    const isChanged = failure.code === 'source.changed';
    const tries = keeper.recordFailure(isChanged);
    switch (failure.disposition) {
      case 'reject':
        if (isChanged && tries < maxChangedTries) return this.pause(keeper, failure, firstPauseMs);
        return this.reject(request, keeper, failure, fingerprint);
      case 'fail':
        return this.fail(request, keeper, failure);
      case 'wait':
        return this.pause(keeper, failure, spacePauseMs);
      case 'retry':
        if (tries < maxIdleTries) return this.pause(keeper, failure, pauseAfter(tries));
        return this.fail(request, keeper, failure);
    }
  }

  private async pause(keeper: ImportStatusReporter, failure: ImportFailure, afterMs: number): Promise<NextStep> {
    await keeper.wait(errorOf(failure), afterMs);
    return { step: 'again', afterMs };
  }

  private async reject(
    request: ImportRequest,
    keeper: ImportStatusReporter,
    failure: ImportFailure,
    fingerprint: string | null,
  ): Promise<NextStep> {
    await this.discard(request);
    return this.end(request, keeper, 'rejected', { failure, fingerprint });
  }

  private fail(request: ImportRequest, keeper: ImportStatusReporter, failure: ImportFailure): Promise<NextStep> {
    return this.end(request, keeper, 'failed', { failure });
  }

  private async end(
    request: ImportRequest,
    keeper: ImportStatusReporter,
    state: EndedState,
    how: Pick<EndingFacts, 'result' | 'failure' | 'fingerprint'> = {},
  ): Promise<NextStep> {
    await keeper.stop();
    // Also where nobody could tell: the round would begin with the same dataset again, and never come to another.
    if (request.kind === 'verify' && state !== 'cancelled') await this.fixity.recordCheck(request.subject);
    const facts = { startedAt: keeper.startedAt, progress: keeper.progress() };
    const ending = endingOf(request, state, { ...facts, ...how });
    await this.log.end(ending);
    this.metrics.countEnd(request.kind, state, ending.started_at ?? request.requested_at);
    this.logger.log(`import ${request.id} of ${request.kind} ${request.subject}: ${state}`);
    return done;
  }
}

function differingFailure({ count, named }: ProblemList<FileFailure>): ImportFailure {
  const [first] = named;
  const some = named.length < count ? ` ${String(named.length)} of them are named.` : '';
  const message = `${String(count)} files are not as they were imported.${some}`;
  return new ImportFailure(first?.code ?? 'internal', message, named);
}

function pauseAfter(tries: number): number {
  const growing = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  return Math.round(growing * (0.75 + Math.random() / 2));
}
