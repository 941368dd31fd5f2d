import { thisAgent } from '../process/software-agent.js';
import type { FileFailure, ImportFailure } from './failure.js';
import type { ImportPlan } from './import-plan.js';
import {
  noProgress,
  type EndedState,
  type FileReport,
  type ImportEnding,
  type ImportProgress,
  type ImportRequest,
  type ImportResult,
} from './import-record.js';

/** The known parts of the outcome of an import. */
export interface EndingFacts {
  readonly startedAt: string | null;
  readonly progress: ImportProgress | null;
  readonly result?: ImportResult;
  readonly failure?: ImportFailure;
  readonly plan?: ImportPlan | null;
  readonly fingerprint?: string | null;
}

/** Returns the record of an import that ends at this moment. */
export function endingOf(request: ImportRequest, state: EndedState, facts: EndingFacts): ImportEnding {
  return {
    ...request,
    state,
    started_at: facts.startedAt,
    finished_at: new Date().toISOString(),
    progress: { ...noProgress, ...facts.progress, phase: 'ended', current: [], seconds_left: null },
    result: facts.result ?? null,
    error: facts.failure ? errorOf(facts.failure) : null,
    files: facts.failure?.problems.map(reportOf) ?? [],
    plan: facts.plan ?? null,
    fingerprint: facts.fingerprint ?? null,
    agent: thisAgent,
  };
}

/** Returns the error that an import shows for a failure. */
export function errorOf({ code, message, problems }: ImportFailure): NonNullable<ImportEnding['error']> {
  return { code, message, file: problems[0]?.path ?? null };
}

function reportOf({ path, code, message }: ImportFailure['problems'][number] | FileFailure): FileReport {
  return { path: path ?? '', state: 'failed', code, message };
}
