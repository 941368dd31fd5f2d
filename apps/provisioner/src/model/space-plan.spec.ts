import { StorageReserve } from '../settings/storage-reserve.js';
import { fits, planSpace, shortageOf } from './space-plan.js';
import type { FreeSpace, StagedSize } from './storage.js';

const subject = { kind: 'dataset', id: 'DS-1' } as const;
const content = { bytes: 120, files: 8, folders: 2 };
const reserve = StorageReserve.parse('10') ?? StorageReserve.none;
const unlimited = Number.POSITIVE_INFINITY;

describe(planSpace.name, () => {
  let measurements: number;

  beforeEach(() => {
    measurements = 0;
  });

  function plan(free: Pick<FreeSpace, 'bytes' | 'files'>, staged: StagedSize | null = null) {
    const storage = {
      freeSpace: () => Promise.resolve({ capacity: 200, ...free }),
      stagedSize: () => {
        measurements += 1;
        return Promise.resolve(staged);
      },
    };
    return planSpace(storage, reserve, { subject, fingerprint: 'sha256:1', content });
  }

  it('should not measure the staged files when the whole delivery fits', async () => {
    const space = await plan({ bytes: 130, files: 10 });
    expect([fits(space), measurements]).toEqual([true, 0]);
    expect(space).toMatchObject({ free_bytes: 120, staged_bytes: null, missing_bytes: 0, missing_files: 0 });
  });

  it('should count the staged bytes towards the import when only the rest fits', async () => {
    const space = await plan({ bytes: 55, files: 10 }, { bytes: 75, files: 4 });
    expect(fits(space)).toBe(true);
    expect(space).toMatchObject({ needed_bytes: 120, staged_bytes: 75, free_bytes: 45, missing_bytes: 0 });
  });

  it('should return the missing bytes when the rest does not fit', async () => {
    const space = await plan({ bytes: 54, files: 10 }, { bytes: 75, files: 4 });
    expect([fits(space), space.missing_bytes]).toEqual([false, 1]);
    expect(shortageOf(space)).toContain('1 bytes are missing (120 needed, 75 staged, 44 free)');
  });

  it.each([
    [6, 0],
    [5, 1],
  ])('should count the staged files when %i inodes are free', async (files, missing) => {
    const space = await plan({ bytes: 500, files }, { bytes: 0, files: 4 });
    expect(space).toMatchObject({ needed_files: 10, staged_files: 4, free_files: files, missing_files: missing });
    if (missing > 0) expect(shortageOf(space)).toContain('inodes: 1 are missing (10 needed, 4 staged, 5 free)');
  });

  it('should fit when everything is staged and less than the reserve is free', async () => {
    expect(fits(await plan({ bytes: 3, files: 0 }, { bytes: 120, files: 10 }))).toBe(true);
  });

  it('should fit when the storage reports no limits', async () => {
    const space = await plan({ bytes: unlimited, files: unlimited });
    expect(space).toMatchObject({ free_bytes: null, free_files: null, missing_bytes: 0, missing_files: 0 });
  });
});
