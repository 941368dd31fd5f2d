import { thisAgent } from '../process/software-agent.js';
import { NoSpaceFailure, type ImportFailure } from './failure.js';
import type { FileFailure } from './failure-code.js';
import type { ImportPlan } from './import-plan.js';
import {
  noProgress,
  type Delivery,
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
  readonly rejected?: RejectedDelivery | null;
  readonly plan?: ImportPlan | null;
}

/** A delivery that is rejected, and the key of the state to which the rejection applies. */
export interface RejectedDelivery extends Delivery {
  readonly rejectionKey: string;
}

/** Returns the record of an import that ends at this moment. */
export function endingOf(request: ImportRequest, state: EndedState, facts: EndingFacts): ImportEnding {
  const { rejectionKey = null, ...delivery } = facts.rejected ?? {};
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
    fingerprint: rejectionKey,
    ...('submission' in delivery && { delivery }),
    agent: thisAgent,
  };
}

/** Returns the error that an import shows for a failure. */
export function errorOf(failure: ImportFailure): NonNullable<ImportEnding['error']> {
  const { code, message, problems, counts } = failure;
  const file = problems.find((problem) => problem.code === code)?.path ?? null;
  const error = { code, message, file, ...(problems.length > 0 && { counts }) };
  return failure instanceof NoSpaceFailure ? { ...error, space: failure.space } : error;
}

function reportOf({ path, code, message }: ImportFailure['problems'][number] | FileFailure): FileReport {
  return { path: path ?? '', state: 'failed', code, message };
}
