import { createLimit, setRate, RateLimiter } from './rate-limit.js';

const mebibyte = 1024 * 1024;

const never = (): void => undefined;

describe(RateLimiter.name, () => {
  it('should let many small files come as far as a large one', async () => {
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

  it('should move no more than the limit allows, in large pieces or small ones, here or in a thread', async () => {
    const limit = createLimit();
    setRate(limit, mebibyte);
    const turns = new RateLimiter();
    const start = performance.now();
    await turns.acquire(limit, mebibyte / 8, never);
    turns.acquireSync(limit, mebibyte / 8, never);
    for (let piece = 0; piece < 256; piece += 1) await turns.acquire(limit, 1024, never);
    expect(performance.now() - start).toBeGreaterThan(50);
  });

  it('should stop as soon as it must, and not have the next pay for what was not moved', async () => {
    const limit = createLimit();
    setRate(limit, 1024);
    const turns = new RateLimiter();
    let isStopped = false;
    const stopped = turns.acquire(limit, 1024 * mebibyte, () => {
      if (isStopped) throw new Error('stopped');
    });
    isStopped = true;
    await expect(stopped).rejects.toThrow('stopped');
    setRate(limit, mebibyte);
    await turns.acquire(limit, 1024, never);
  });

  it('should not wait where there is no limit', async () => {
    const turns = new RateLimiter();
    await turns.acquire(createLimit(), 1024 * mebibyte, never);
    turns.acquireSync(createLimit(), 1024 * mebibyte, never);
  });
});
