import { setImmediate } from 'node:timers/promises';
import { PartMemory } from './part-memory.js';

const kibibyte = 1024;

describe(PartMemory.name, () => {
  /** Asks for so much, and tells what was lent. */
  function asking(memory: PartMemory, bytes: number): { buffer: Buffer | null } {
    const asked: { buffer: Buffer | null } = { buffer: null };
    void memory.take(bytes).then((buffer) => (asked.buffer = buffer));
    return asked;
  }

  it('should lend no more at once than there is, in the order of asking', async () => {
    const memory = new PartMemory(512 * kibibyte);
    const [first, second] = [await memory.take(256 * kibibyte), await memory.take(128 * kibibyte)];
    const [large, small] = [asking(memory, 256 * kibibyte), asking(memory, 64 * kibibyte)];
    await setImmediate();
    expect([large.buffer, small.buffer]).toEqual([null, null]);
    memory.give(second);
    await setImmediate();
    expect([large.buffer?.length, small.buffer]).toEqual([256 * kibibyte, null]);
    memory.give(first);
    await setImmediate();
    expect(small.buffer?.length).toBe(64 * kibibyte);
  });

  it('should lend what is larger than all of it alone', async () => {
    const memory = new PartMemory(512 * kibibyte);
    const first = await memory.take(1);
    const huge = asking(memory, 600 * kibibyte);
    await setImmediate();
    expect(huge.buffer).toBeNull();
    memory.give(first);
    await setImmediate();
    expect(huge.buffer?.length).toBe(600 * kibibyte);
    const next = asking(memory, 1);
    await setImmediate();
    expect(next.buffer).toBeNull();
    if (huge.buffer) memory.give(huge.buffer);
    await setImmediate();
    expect(next.buffer).not.toBeNull();
  });

  it('should lend a buffer again, and keep none that would make it more than there is', async () => {
    const memory = new PartMemory(512 * kibibyte);
    const first = await memory.take(256 * kibibyte);
    memory.give(first);
    expect(await memory.take(200 * kibibyte)).toBe(first);
    memory.give(first);
    const whole = await memory.take(512 * kibibyte);
    memory.give(whole);
    expect(await memory.take(256 * kibibyte)).not.toBe(first);
  });
});
