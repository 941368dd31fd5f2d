import { setImmediate } from 'node:timers/promises';
import { BufferPool } from './part-memory.js';

const kibibyte = 1024;

describe(BufferPool.name, () => {
  /** Asks for so much, and tells what was lent. */
  function asking(memory: BufferPool, bytes: number): { buffer: Buffer | null } {
    const asked: { buffer: Buffer | null } = { buffer: null };
    void memory.acquire(bytes).then((buffer) => (asked.buffer = buffer));
    return asked;
  }

  it('should lend no more at once than there is, in the order of asking', async () => {
    const memory = new BufferPool(512 * kibibyte);
    const [first, second] = [await memory.acquire(256 * kibibyte), await memory.acquire(128 * kibibyte)];
    const [large, small] = [asking(memory, 256 * kibibyte), asking(memory, 64 * kibibyte)];
    await setImmediate();
    expect([large.buffer, small.buffer]).toEqual([null, null]);
    memory.release(second);
    await setImmediate();
    expect([large.buffer?.length, small.buffer]).toEqual([256 * kibibyte, null]);
    memory.release(first);
    await setImmediate();
    expect(small.buffer?.length).toBe(64 * kibibyte);
  });

  it('should lend what is larger than all of it alone', async () => {
    const memory = new BufferPool(512 * kibibyte);
    const first = await memory.acquire(1);
    const huge = asking(memory, 600 * kibibyte);
    await setImmediate();
    expect(huge.buffer).toBeNull();
    memory.release(first);
    await setImmediate();
    expect(huge.buffer?.length).toBe(600 * kibibyte);
    const next = asking(memory, 1);
    await setImmediate();
    expect(next.buffer).toBeNull();
    if (huge.buffer) memory.release(huge.buffer);
    await setImmediate();
    expect(next.buffer).not.toBeNull();
  });

  it('should lend a buffer again, and keep none that would make it more than there is', async () => {
    const memory = new BufferPool(512 * kibibyte);
    const first = await memory.acquire(256 * kibibyte);
    memory.release(first);
    expect(await memory.acquire(200 * kibibyte)).toBe(first);
    memory.release(first);
    const whole = await memory.acquire(512 * kibibyte);
    memory.release(whole);
    expect(await memory.acquire(256 * kibibyte)).not.toBe(first);
  });
});
