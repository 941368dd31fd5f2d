import { createLimit, setRate, RateLimiter } from './rate-limit.js';

const mebibyte = 1024 * 1024;

const never = (): void => undefined;

describe(RateLimiter.name, () => {
  it('should let many small files progress as fast as a large file', async () => {
    const limit = createLimit();
    setRate(limit, mebibyte);
    let large = 0;
    const [first, other] = [new RateLimiter(), new RateLimiter()];
    const copyLarge = async (): Promise<void> => {
      for (; large < 4; large += 1) await first.acquire(limit, mebibyte / 4, never);
    };
    const copying = copyLarge();
    for (let small = 0; small < 100; small += 1) await other.acquire(limit, 1024, never);
    expect(large).toBeLessThan(3);
    setRate(limit, 0);
    await copying;
    expect(large).toBe(4);
  });

  it('should limit the rate of large and small pieces in both ways of waiting', async () => {
    const limit = createLimit();
    setRate(limit, mebibyte);
    const limiter = new RateLimiter();
    const start = performance.now();
    await limiter.acquire(limit, mebibyte / 8, never);
    limiter.acquireSync(limit, mebibyte / 8, never);
    for (let piece = 0; piece < 256; piece += 1) await limiter.acquire(limit, 1024, never);
    expect(performance.now() - start).toBeGreaterThan(50);
  });

  it('should stop waiting when the import is stopped, without a debt for the next file', async () => {
    const limit = createLimit();
    setRate(limit, 1024);
    const limiter = new RateLimiter();
    let isStopped = false;
    const stopped = limiter.acquire(limit, 1024 * mebibyte, () => {
      if (isStopped) throw new Error('stopped');
    });
    isStopped = true;
    await expect(stopped).rejects.toThrow('stopped');
    setRate(limit, mebibyte);
    await limiter.acquire(limit, 1024, never);
  });

  it('should not wait when there is no limit', async () => {
    const limiter = new RateLimiter();
    await limiter.acquire(createLimit(), 1024 * mebibyte, never);
    limiter.acquireSync(createLimit(), 1024 * mebibyte, never);
  });
});
