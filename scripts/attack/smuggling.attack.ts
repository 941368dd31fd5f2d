import type { Attack, Finding, Target } from './attack.ts';
import { bodyAttacks } from './smuggling-bodies.ts';
import { hiddenRequestAttacks } from './smuggling-requests.ts';

/** Attacks on the origin itself: hidden requests, and bodies and headers that never end. */
const smuggling: Attack = {
  name: 'smuggling',
  async *run(target: Target): AsyncIterable<Finding> {
    yield* hiddenRequestAttacks(target);
    yield* bodyAttacks(target);
  },
};

export default smuggling;
