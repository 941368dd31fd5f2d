import type { Records } from './records.js';

const folder = '.requests/shared';

/**
 * Whether an open request is one caller's only, who may take it back while nobody else relies on it. The first word
 * stands: either it is shared, or it is taken back.
 */
export class SharedRequests {
  constructor(private readonly records: Records) {}

  /** Another caller relies on it. @returns false when it was taken back before */
  async share(id: string): Promise<boolean> {
    return (await this.decide(id, 'shared')) === 'shared';
  }

  /** Whoever has made it wants it to be gone. @returns false when another relies on it */
  async takeBack(id: string): Promise<boolean> {
    return (await this.decide(id, 'taken back')) === 'taken back';
  }

  async forget(id: string): Promise<void> {
    await this.records.remove(this.mark(id));
  }

  private async decide(id: string, wanted: string): Promise<string> {
    const said = await this.records.read(this.mark(id));
    if (said !== null) return said;
    return (await this.records.create(this.mark(id), wanted)) ? wanted : this.decide(id, wanted);
  }

  private mark(id: string): string {
    return `${folder}/${id}`;
  }
}
