import { jest } from '@jest/globals';
import type { FolderState } from '../model/source-sight.js';
import { SourceFailure, type SourceSystem } from '../model/source-system.js';
import { doubtMs, SourceGate } from './source-gate.js';

const subject = { kind: 'dataset', id: 'DS-1' } as const;
const state = (inode: string): FolderState => ({ inode, changed: inode });
const sight = { submission: 'SUB-1', folders: ['1', '2', '3'].map(state) };

describe(SourceGate.name, () => {
  let failure: Error | null;
  let present: readonly FolderState[];
  let gate: SourceGate;

  beforeEach(() => {
    [failure, present] = [null, sight.folders];
    const probe = (): Promise<void> => (failure ? Promise.reject(failure) : Promise.resolve());
    const foldersTo = (): Promise<readonly FolderState[]> => Promise.resolve(present);
    gate = new SourceGate({ probe, foldersTo } as unknown as SourceSystem);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should return no doubt when the worker sees the delivery, or the request does not state what was seen', async () => {
    expect(await gate.doubtAbout(subject, sight)).toBeNull();
    present = [state('9')];
    expect(await gate.doubtAbout(subject, undefined)).toBeNull();
    await expect(gate.check()).resolves.toBeUndefined();
  });

  it('should return a certain doubt when the source cannot be read', async () => {
    failure = new SourceFailure('stale handle', 'ESTALE');
    expect(await gate.doubtAbout(subject, sight)).toEqual({ reason: 'stale handle', isCertain: true });
  });

  it('should fail its check after a doubt until the worker sees the delivery', async () => {
    present = [state('9')];
    expect(await gate.doubtAbout(subject, sight)).toMatchObject({ isCertain: false });
    await expect(gate.check()).rejects.toThrow('DS-1 is not visible to this worker');
    present = sight.folders;
    await expect(gate.check()).resolves.toBeUndefined();
    present = [state('9')];
    await expect(gate.check()).resolves.toBeUndefined();
  });

  it('should pass its check when a doubt has lasted for its time', async () => {
    jest.useFakeTimers();
    present = [state('9')];
    await gate.doubtAbout(subject, sight);
    jest.advanceTimersByTime(doubtMs);
    await expect(gate.check()).rejects.toThrow(SourceFailure);
    jest.advanceTimersByTime(1);
    await expect(gate.check()).resolves.toBeUndefined();
  });
});
