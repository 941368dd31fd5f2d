import { AppError } from '@rdc/errors';
import type { Commit } from '../model/commit.js';
import type { IdCollision } from '../model/duplicate-id.js';
import type { ImportRequest } from '../model/import-record.js';
import type { LatestEnding } from '../model/request-log.js';

/** 409: the delivery is still being written. */
export class NotReadyError extends AppError {
  constructor(subject: string, marker: string, settleSeconds: number) {
    super(
      'source.not_ready',
      `${subject} is not complete yet: put the marker ${marker} there, or wait until nothing changes.`,
      {
        retryAfterSeconds: Math.max(1, Math.ceil(settleSeconds)),
      },
    );
  }
}

/** 409: what is imported is not what the source holds now, and raw data are written once. */
export class ChangedSinceImportError extends AppError {
  constructor({ id, import_id, imported_at }: Commit) {
    const message = `${id} was imported on ${imported_at} and has changed since; deliver a new version under a new id.`;
    super('source.changed_since_import', message, { details: { import_id } });
  }
}

/** 409: this very state of the source was rejected. */
export class RejectedError extends AppError {
  constructor({ id, subject, error }: LatestEnding) {
    const message = `${subject} was rejected as it is: ${error?.message ?? ''} It is tried again when the source changes.`;
    super('source.rejected', message, { details: { import_id: id, reason: error?.code } });
  }
}

/** 409: the id is another's too, perhaps but for case. */
export class DuplicateIdError extends AppError {
  constructor({ message, details }: IdCollision) {
    super('id.duplicate', message, { details });
  }
}

/** 409: the source holds it under a name that cannot be an id. */
export class InvalidIdError extends AppError {
  constructor(id: string) {
    super('id.invalid', `${JSON.stringify(id)} cannot be an id; rename its folder in the source.`);
  }
}

/** 409: the import's state forbids it. */
export class ImportStateError extends AppError {
  constructor(message: string, state: string) {
    super('import.state', message, { details: { state } });
  }
}

/** 409: an import and a withdrawal of one dataset never run at once. */
export class OtherUnderWayError extends AppError {
  constructor({ id, kind, subject }: ImportRequest) {
    const what = kind === 'withdraw' ? 'withdrawn' : 'imported';
    const details = { state: kind === 'withdraw' ? 'withdrawing' : 'importing', import_id: id };
    super('import.state', `${subject} is being ${what}; try again when that has ended.`, { details });
  }
}

/** 507: it does not fit. */
export class NoSpaceError extends AppError {
  constructor(needed: number, free: number) {
    super('storage.no_space', `The storage has ${String(free)} bytes left; ${String(needed)} are needed.`, {
      details: { needed, free, dependency: 'storage', reason: 'disk_full' },
    });
  }
}
