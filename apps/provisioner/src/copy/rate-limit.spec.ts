import { makeLimit, setRate, Turns } from './rate-limit.js';

const mebibyte = 1024 * 1024;

const never = (): void => undefined;

describe(Turns.name, () => {
  it('should let many small files come as far as a large one', async () => {
    const limit = makeLimit();
    setRate(limit, mebibyte);
    let large = 0;
    const [first, other] = [new Turns(), new Turns()];
    const copyLarge = async (): Promise<void> => {
      for (; large < 4; large += 1) await first.wait(limit, mebibyte / 4, never);
    };
    const copying = copyLarge();
    for (let small = 0; small < 100; small += 1) await other.wait(limit, 1024, never);
    expect(large).toBeLessThan(3);
    setRate(limit, 0);
    await copying;
    expect(large).toBe(4);
  });

  it('should move no more than the limit allows, in large pieces or small ones, here or in a thread', async () => {
    const limit = makeLimit();
    setRate(limit, mebibyte);
    const turns = new Turns();
    const start = performance.now();
    await turns.wait(limit, mebibyte / 8, never);
    turns.waitInThread(limit, mebibyte / 8, never);
    for (let piece = 0; piece < 256; piece += 1) await turns.wait(limit, 1024, never);
    expect(performance.now() - start).toBeGreaterThan(50);
  });

  it('should stop as soon as it must, and not have the next pay for what was not moved', async () => {
    const limit = makeLimit();
    setRate(limit, 1024);
    const turns = new Turns();
    let isStopped = false;
    const stopped = turns.wait(limit, 1024 * mebibyte, () => {
      if (isStopped) throw new Error('stopped');
    });
    isStopped = true;
    await expect(stopped).rejects.toThrow('stopped');
    setRate(limit, mebibyte);
    await turns.wait(limit, 1024, never);
  });

  it('should not wait where there is no limit', async () => {
    const turns = new Turns();
    await turns.wait(makeLimit(), 1024 * mebibyte, never);
    turns.waitInThread(makeLimit(), 1024 * mebibyte, never);
  });
});
