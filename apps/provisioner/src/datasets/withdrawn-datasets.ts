import { Injectable } from '@nestjs/common';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { containsText, listingOf, type Listing } from '../http/list.answer.js';
import { ImportRequests, type RequestOptions, type SubmitResult } from '../imports/import-requests.js';
import { ImportStateError } from '../imports/imports.errors.js';
import { isPurged, WithdrawalLog, type Withdrawal } from '../model/withdrawal-log.js';
import type { PurgeDataset, SearchWithdrawn } from './datasets.query.js';
import { toWithdrawnDataset, type WithdrawnDatasetResponse } from './withdrawn-dataset.response.js';

/** Withdraws datasets, and lists and purges withdrawn ones. */
@Injectable()
export class WithdrawnDatasets {
  constructor(
    private readonly withdrawals: WithdrawalLog,
    private readonly requests: ImportRequests,
  ) {}

  /** Lists the withdrawals, sorted by dataset and time. */
  async search({
    q,
    submission,
    purged,
  }: SearchWithdrawn): Promise<Listing<WithdrawnDatasetResponse, WithdrawnDatasetResponse>> {
    const { bySubject } = await this.withdrawals.all();
    const items = [...bySubject.values()]
      .filter(
        (each) =>
          (q === undefined || containsText(q, each.dataset)) &&
          (submission === undefined || each.submission === submission) &&
          (purged === undefined || isPurged(each) === (purged === 'true')),
      )
      .map(toWithdrawnDataset)
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    return listingOf(items, keyOf, null);
  }

  /** Returns the withdrawals of a dataset, the oldest first. */
  async of(dataset: string): Promise<readonly Withdrawal[]> {
    const { bySubject } = await this.withdrawals.all();
    const found = [...bySubject.values()].filter((each) => each.dataset === dataset);
    return found.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Requests the withdrawal of a dataset. @throws UnknownRecordError if the dataset is not imported */
  withdraw(id: string, reason: string, requester: RequestOptions): Promise<SubmitResult> {
    return this.requests.withdraw(id, reason, requester);
  }

  /**
   * Requests the removal of the files of a withdrawn dataset.
   *
   * @throws UnknownRecordError if the dataset was never withdrawn; InvalidInputError if the confirmation is wrong or the
   *   withdrawal is ambiguous; ImportStateError if all files are purged
   */
  async purge(id: string, body: PurgeDataset, requester: RequestOptions): Promise<SubmitResult> {
    const withdrawals = await this.of(id);
    if (withdrawals.length === 0) throw new UnknownRecordError('withdrawn dataset', id);
    if (body.confirm !== id) {
      throw new InvalidInputError([
        { field: 'confirm', problem: `must be ${JSON.stringify(id)}, because a purge cannot be undone` },
      ]);
    }
    return this.requests.purge(choose(id, withdrawals, body.withdrawal), body.reason, requester);
  }
}

/** Returns the withdrawal to purge: the chosen one, or the only one whose files are stored. */
function choose(id: string, withdrawals: readonly Withdrawal[], chosen: string | undefined): Withdrawal {
  const matching = withdrawals.filter((each) => chosen === undefined || each.id === chosen);
  const [stored, ...others] = matching.filter((each) => !isPurged(each));
  if (matching.length === 0 || others.length > 0) {
    const ids = withdrawals.filter((each) => !isPurged(each)).map((each) => each.id);
    const problem = `must be a withdrawal of ${id} with stored files: ${ids.join(', ') || 'none'}`;
    throw new InvalidInputError([{ field: 'withdrawal', problem }]);
  }
  if (!stored) throw new ImportStateError(`${id} cannot be purged: its withdrawn files are purged already.`, 'purged');
  return stored;
}

function keyOf({ id, withdrawal }: WithdrawnDatasetResponse): string {
  return `${id}\u0000${withdrawal}`;
}
