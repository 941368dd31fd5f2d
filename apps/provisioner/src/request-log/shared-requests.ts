import type { ImportRequest } from '../model/import-record.js';
import type { Records } from '../model/records.js';

const folder = '.requests/shared';

type Decision = 'shared' | 'taken back';

/** The identity of one attempt at an import. */
type AttemptKey = Pick<ImportRequest, 'id' | 'attempt'>;

/**
 * The decisions whether an open request is shared or retracted. The caller that opened a request may retract it until
 * another caller shares it. The first decision on an attempt is final.
 */
export class SharedRequests {
  constructor(private readonly records: Records) {}

  /** Records that another caller relies on a request. @returns false if the request was retracted before */
  async share(request: AttemptKey): Promise<boolean> {
    return (await this.decide(request, 'shared')) === 'shared';
  }

  /** Records that the caller that opened a request retracts it. @returns false if another caller relies on it */
  async retract(request: AttemptKey): Promise<boolean> {
    return (await this.decide(request, 'taken back')) === 'taken back';
  }

  async remove(request: AttemptKey): Promise<void> {
    await this.records.remove(this.file(request));
  }

  /** Records a decision unless there is one. @returns the decision that holds */
  private async decide(request: AttemptKey, decision: Decision): Promise<string> {
    for (;;) {
      const existing = await this.records.read(this.file(request));
      if (existing !== null) return existing;
      if (await this.records.create(this.file(request), decision)) return decision;
    }
  }

  private file({ id, attempt }: AttemptKey): string {
    return `${folder}/${id}.${String(attempt)}`;
  }
}
