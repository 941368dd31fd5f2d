import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ImportFailure, failureOf, type FileFailure } from './failure.js';
import { ImportRun } from './import-run.js';
import { ImportTools } from './import-tools.js';
import {
  noProgress,
  type EndedState,
  type FileReport,
  type ImportEnding,
  type ImportRequest,
  type ImportResult,
} from './import-record.js';
import { ProgressMeter } from './progress-meter.js';
import { RequestLog } from './request-log.js';
import { isCancelled, StatusKeeper } from './status-keeper.js';
import { verifyImported } from './verification.js';

/** Starts in a row without one more finished file after which an import is given up. */
const maxIdleStarts = 5;

/** Failures of ours in a row without one more finished file after which an import is given up. */
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
    const meter = new ProgressMeter();
    const keeper = new StatusKeeper(this.log, request, meter, record.status, signal);
    const { idleStarts } = await keeper.start();
    try {
      if (record.cancelling) return await this.end(request, keeper, 'cancelled');
      if (idleStarts > maxIdleStarts) {
        const message = `${String(maxIdleStarts)} starts in a row ended without one more finished file.`;
        return await this.fail(request, keeper, new ImportFailure('no_progress', message));
      }
      return await this.run(request, keeper, meter);
    } finally {
      await keeper.stop();
    }
  }

  private async run(request: ImportRequest, keeper: StatusKeeper, meter: ProgressMeter): Promise<NextStep> {
    const { kind } = request;
    if (kind === 'verify') return this.verify(request, keeper, meter);
    const run = new ImportRun(this.tools, { ...request, kind }, meter, `${request.id}-${randomUUID()}`);
    try {
      const result = await run.run(keeper.signal);
      return await this.end(request, keeper, 'finished', { result });
    } catch (error) {
      if (keeper.signal.aborted) return this.stopped(request, keeper);
      return this.decide(request, keeper, failureOf(error), run.fingerprint);
    }
  }

  private async verify(request: ImportRequest, keeper: StatusKeeper, meter: ProgressMeter): Promise<NextStep> {
    try {
      const { result, failures } = await verifyImported(this.tools.storage, request.subject, meter, keeper.signal);
      if (failures.length === 0) return await this.end(request, keeper, 'finished', { result });
      const [first] = failures;
      const message = `${String(failures.length)} files are not as they were imported.`;
      return await this.fail(request, keeper, new ImportFailure(first?.code ?? 'internal', message, failures));
    } catch (error) {
      if (keeper.signal.aborted) return this.stopped(request, keeper);
      return this.decide(request, keeper, failureOf(error), null);
    }
  }

  /** Stopped from outside: by whoever cancelled it, which ends it, or by the process, which gives it back. */
  private async stopped(request: ImportRequest, keeper: StatusKeeper): Promise<NextStep> {
    if (!isCancelled(keeper.signal)) throw keeper.signal.reason;
    if (request.kind !== 'verify') await this.tools.storage.discard({ kind: request.kind, id: request.subject });
    return this.end(request, keeper, 'cancelled');
  }

  private async decide(
    request: ImportRequest,
    keeper: StatusKeeper,
    failure: ImportFailure,
    fingerprint: string | null,
  ): Promise<NextStep> {
    this.logger.warn(`import ${request.id}: ${failure.code}: ${failure.message}`);
    if (failure.code === 'internal') this.logger.error(failure.cause);
    const tries = keeper.countTry();
    switch (failure.disposition) {
      case 'reject':
        if (failure.code === 'source.changed' && tries < maxChangedTries)
          return this.pause(keeper, failure, firstPauseMs);
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

  private async pause(keeper: StatusKeeper, failure: ImportFailure, afterMs: number): Promise<NextStep> {
    await keeper.wait(errorOf(failure), afterMs);
    return { step: 'again', afterMs };
  }

  private async reject(
    request: ImportRequest,
    keeper: StatusKeeper,
    failure: ImportFailure,
    fingerprint: string | null,
  ): Promise<NextStep> {
    if (request.kind !== 'verify') await this.tools.storage.discard({ kind: request.kind, id: request.subject });
    return this.end(request, keeper, 'rejected', { failure, fingerprint });
  }

  private fail(request: ImportRequest, keeper: StatusKeeper, failure: ImportFailure): Promise<NextStep> {
    return this.end(request, keeper, 'failed', { failure });
  }

  private async end(
    request: ImportRequest,
    keeper: StatusKeeper,
    state: EndedState,
    how: {
      readonly result?: ImportResult;
      readonly failure?: ImportFailure;
      readonly fingerprint?: string | null;
    } = {},
  ): Promise<NextStep> {
    await keeper.stop();
    const ending: ImportEnding = {
      ...request,
      state,
      started_at: keeper.startedAt,
      finished_at: new Date().toISOString(),
      progress: { ...noProgress, ...keeper.progress(), phase: 'ended', current: [], seconds_left: null },
      result: how.result ?? null,
      error: how.failure ? errorOf(how.failure) : null,
      files: how.failure?.problems.map(reportOf) ?? [],
      fingerprint: how.fingerprint ?? null,
    };
    await this.log.end(ending);
    this.logger.log(`import ${request.id} of ${request.kind} ${request.subject}: ${state}`);
    return done;
  }
}

function pauseAfter(tries: number): number {
  const growing = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  return Math.round(growing * (0.75 + Math.random() / 2));
}

function errorOf({ code, message, problems }: ImportFailure): NonNullable<ImportEnding['error']> {
  return { code, message, file: problems[0]?.path ?? null };
}

function reportOf({ path, code, message }: ImportFailure['problems'][number] | FileFailure): FileReport {
  return { path: path ?? '', state: 'failed', code, message };
}
