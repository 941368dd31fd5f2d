import { setImmediate } from 'node:timers/promises';
import { BufferPool } from './buffer-pool.js';

const kibibyte = 1024;

describe(BufferPool.name, () => {
  /** Starts acquiring a buffer. The result holds the buffer once it is acquired. */
  function acquiring(pool: BufferPool, bytes: number): { buffer: Buffer | null } {
    const result: { buffer: Buffer | null } = { buffer: null };
    void pool.acquire(bytes).then((buffer) => (result.buffer = buffer));
    return result;
  }

  it('should hand out no more than its size, in the order of the calls', async () => {
    const pool = new BufferPool(512 * kibibyte);
    const [first, second] = [await pool.acquire(256 * kibibyte), await pool.acquire(128 * kibibyte)];
    const [large, small] = [acquiring(pool, 256 * kibibyte), acquiring(pool, 64 * kibibyte)];
    await setImmediate();
    expect([large.buffer, small.buffer]).toEqual([null, null]);
    pool.release(second);
    await setImmediate();
    expect([large.buffer?.length, small.buffer]).toEqual([256 * kibibyte, null]);
    pool.release(first);
    await setImmediate();
    expect(small.buffer?.length).toBe(64 * kibibyte);
  });

  it('should hand out a buffer larger than its size only while no other is in use', async () => {
    const pool = new BufferPool(512 * kibibyte);
    const first = await pool.acquire(1);
    const huge = acquiring(pool, 600 * kibibyte);
    await setImmediate();
    expect(huge.buffer).toBeNull();
    pool.release(first);
    await setImmediate();
    expect(huge.buffer?.length).toBe(600 * kibibyte);
    const next = acquiring(pool, 1);
    await setImmediate();
    expect(next.buffer).toBeNull();
    if (huge.buffer) pool.release(huge.buffer);
    await setImmediate();
    expect(next.buffer).not.toBeNull();
  });

  it('should reuse a released buffer, and drop unused buffers when they would exceed its size', async () => {
    const pool = new BufferPool(512 * kibibyte);
    const first = await pool.acquire(256 * kibibyte);
    pool.release(first);
    expect(await pool.acquire(200 * kibibyte)).toBe(first);
    pool.release(first);
    const whole = await pool.acquire(512 * kibibyte);
    pool.release(whole);
    expect(await pool.acquire(256 * kibibyte)).not.toBe(first);
  });
});
