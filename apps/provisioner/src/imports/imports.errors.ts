import { AppError } from '@rdc/errors';
import type { Commit } from '../model/commit.js';
import type { IdCollision } from '../model/id-collision.js';
import { operationOf, type ImportKind, type ImportRequest } from '../model/import-record.js';
import type { PlaceSummary } from '../model/place-summary.js';
import { shortageOf, type SpacePlan } from '../model/space-plan.js';
import { withdrawnText } from '../model/withdrawn-datasets.js';
import type { LatestEnding } from '../model/request-log.js';
import { incompleteText } from '../source/readiness.js';

/** 409: the delivery is incomplete. */
export class NotReadyError extends AppError {
  constructor(subjectId: string, marker: string, settleSeconds: number) {
    super('source.not_ready', incompleteText(subjectId, marker), {
      retryAfterSeconds: Math.max(1, Math.ceil(settleSeconds)),
    });
  }
}

/** 409: the latest scan of the delivery differs from the imported dataset, and imported data never change. */
export class ChangedSinceImportError extends AppError {
  constructor({ id, import_id, imported_at }: Commit, { scannedAt }: PlaceSummary) {
    const message = `${id} has changed since its import on ${imported_at}: deliver the new version under a new id.`;
    super('source.changed_since_import', message, { details: { import_id, scanned_at: scannedAt } });
  }
}

/** 409: the delivery was rejected, and the latest scan found no change. */
export class RejectedError extends AppError {
  constructor({ id, subject, error }: LatestEnding, scannedAt: string) {
    const message = `${subject.id} was rejected: ${error?.message ?? ''} Correct the delivery, then submit the import again.`;
    super('source.rejected', message, { details: { import_id: id, reason: error?.code, scanned_at: scannedAt } });
  }
}

/** 409: another place or import has the same id, or an id that differs by case only. */
export class DuplicateIdError extends AppError {
  constructor({ message, details }: IdCollision) {
    super('id.duplicate', message, { details });
  }
}

/** 409: the folder name of the delivery is not a valid id. */
export class InvalidIdError extends AppError {
  constructor(id: string) {
    super('id.invalid', `${JSON.stringify(id)} is not a valid id: rename the folder in the source.`);
  }
}

/** 409: the state of the import does not allow the operation. */
export class ImportStateError extends AppError {
  constructor(message: string, state: string) {
    super('import.state', message, { details: { state } });
  }
}

/** The states of operations other than an import. */
const states: Readonly<Partial<Record<ImportKind, string>>> = { withdraw: 'withdrawing', purge: 'purging' };

/** 409: an operation of another kind on the dataset is under way, such as its withdrawal. */
export class OtherUnderWayError extends AppError {
  constructor({ id, kind, subject }: ImportRequest) {
    const details = { state: states[kind] ?? 'importing', import_id: id };
    super('import.state', `${subject.id}: the ${operationOf(kind)} ${id} is under way. Try again when it has ended.`, {
      details,
    });
  }
}

/** 409: the dataset was withdrawn, and the request does not state that it is to be imported again. */
export class WithdrawnError extends AppError {
  constructor(withdrawal: LatestEnding) {
    super('dataset.withdrawn', withdrawnText(withdrawal), { details: { import_id: withdrawal.id } });
  }
}

/** 507: the storage has too little free space. */
export class NoSpaceError extends AppError {
  constructor(space: SpacePlan) {
    super('storage.no_space', shortageOf(space), { details: { ...space, dependency: 'storage', reason: 'disk_full' } });
  }
}
