import { parseBytes } from '@rdc/settings';

/** What stays free of a storage: a number of bytes, or a share of all it can hold. */
export class StorageReserve {
  /** @param share of the capacity, 0 to 1 */
  constructor(
    private readonly bytes: number,
    private readonly share: number,
  ) {}

  /** Nothing. */
  static readonly none = new StorageReserve(0, 0);

  /** `10G` or `5%`; null for anything else. */
  static parse(text: string): StorageReserve | null {
    const percent = /^\s*(\d{1,2}(?:\.\d+)?)\s*%\s*$/.exec(text)?.[1];
    if (percent !== undefined) return new StorageReserve(0, Number(percent) / 100);
    const bytes = parseBytes(text);
    return Number.isNaN(bytes) ? null : new StorageReserve(bytes, 0);
  }

  /** How many bytes stay free; 0 where the storage does not say what it holds. */
  bytesOf({ capacity }: { readonly capacity: number }): number {
    return Number.isFinite(capacity) ? this.bytes + Math.ceil(this.share * capacity) : 0;
  }

  /** How many bytes imports may still take. */
  roomIn(space: { readonly bytes: number; readonly capacity: number }): number {
    return Math.max(0, space.bytes - this.bytesOf(space));
  }
}
