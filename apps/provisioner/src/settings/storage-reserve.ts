import { parseBytes } from '@rdc/settings';

/** The part of a storage that imports leave free: a number of bytes, or a share of the capacity. */
export class StorageReserve {
  /** @param share of the capacity, 0 to 1 */
  constructor(
    private readonly bytes: number,
    private readonly share: number,
  ) {}

  static readonly none = new StorageReserve(0, 0);

  /** Parses `10G` or `5%`. @returns null if the text has another form */
  static parse(text: string): StorageReserve | null {
    const percent = /^\s*(\d{1,2}(?:\.\d+)?)\s*%\s*$/.exec(text)?.[1];
    if (percent !== undefined) return new StorageReserve(0, Number(percent) / 100);
    const bytes = parseBytes(text);
    return Number.isNaN(bytes) ? null : new StorageReserve(bytes, 0);
  }

  /** Returns how many bytes stay free; 0 if the capacity of the storage is unknown. */
  bytesOf({ capacity }: { readonly capacity: number }): number {
    return Number.isFinite(capacity) ? this.bytes + Math.ceil(this.share * capacity) : 0;
  }

  /** Returns how many bytes imports may still use. */
  roomIn(space: { readonly bytes: number; readonly capacity: number }): number {
    return Math.max(0, space.bytes - this.bytesOf(space));
  }
}
