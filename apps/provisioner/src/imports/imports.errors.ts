import { AppError } from '@rdc/errors';
import type { Commit } from '../model/commit.js';
import type { IdCollision } from '../model/id-collision.js';
import { operationOf, type ImportKind, type ImportRequest } from '../model/import-record.js';
import type { LatestEnding } from '../model/request-log.js';

/** 409: the delivery is incomplete. */
export class NotReadyError extends AppError {
  constructor(subjectId: string, marker: string, settleSeconds: number) {
    super(
      'source.not_ready',
      `${subjectId} is not complete yet: create the marker file ${marker}, or wait until the delivery no longer changes.`,
      {
        retryAfterSeconds: Math.max(1, Math.ceil(settleSeconds)),
      },
    );
  }
}

/** 409: the delivery differs from the imported dataset, and imported data never change. */
export class ChangedSinceImportError extends AppError {
  constructor({ id, import_id, imported_at }: Commit) {
    const message = `${id} has changed since its import on ${imported_at}: deliver the new version under a new id.`;
    super('source.changed_since_import', message, { details: { import_id } });
  }
}

/** 409: the current delivery was rejected. */
export class RejectedError extends AppError {
  constructor({ id, subject, error }: LatestEnding) {
    const message = `${subject.id} was rejected: ${error?.message ?? ''} Correct the delivery, then submit the import again.`;
    super('source.rejected', message, { details: { import_id: id, reason: error?.code } });
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
  constructor({ id, subject, finished_at, reason }: LatestEnding) {
    const message = `${subject.id} was withdrawn on ${finished_at}: ${reason ?? ''} To import it again, send "reimport_of_withdrawn": true (command line: --reimport-of-withdrawn).`;
    super('dataset.withdrawn', message, { details: { import_id: id } });
  }
}

/** 507: the storage has too little free space. */
export class NoSpaceError extends AppError {
  constructor(needed: number, free: number) {
    super(
      'storage.no_space',
      `The storage has too little free space: ${String(needed)} bytes are needed, ${String(free)} are free.`,
      {
        details: { needed, free, dependency: 'storage', reason: 'disk_full' },
      },
    );
  }
}
