import { setTimeout } from 'node:timers/promises';

/** Waits until a condition is true. The default time limit allows for a busy machine. @throws Error after the limit */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not true within ${String(withinMs)} ms: ${condition.toString()}`);
    await setTimeout(20);
  }
}
