import type { ImportRequest } from '../model/import-record.js';
import type { Records } from '../model/records.js';

const folder = '.requests/shared';

/** One attempt at an import: a word on it says nothing of the next. */
type AttemptOf = Pick<ImportRequest, 'id' | 'attempt'>;

/**
 * Whether an open request is one caller's only, who may take it back while nobody else relies on it. The first word
 * stands: either it is shared, or it is taken back.
 */
export class SharedRequests {
  constructor(private readonly records: Records) {}

  /** Another caller relies on it. @returns false when it was taken back before */
  async share(request: AttemptOf): Promise<boolean> {
    return (await this.decide(request, 'shared')) === 'shared';
  }

  /** Whoever has made it wants it to be gone. @returns false when another relies on it */
  async retract(request: AttemptOf): Promise<boolean> {
    return (await this.decide(request, 'taken back')) === 'taken back';
  }

  async remove(request: AttemptOf): Promise<void> {
    await this.records.remove(this.mark(request));
  }

  private async decide(request: AttemptOf, wanted: string): Promise<string> {
    const said = await this.records.read(this.mark(request));
    if (said !== null) return said;
    return (await this.records.create(this.mark(request), wanted)) ? wanted : this.decide(request, wanted);
  }

  private mark({ id, attempt }: AttemptOf): string {
    return `${folder}/${id}.${String(attempt)}`;
  }
}
