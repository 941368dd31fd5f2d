/** The access of an entitlement as it stands. */
export interface CurrentAccess {
  readonly status: 'precreated' | 'active' | 'suspended' | 'terminated';
  readonly expiresAt: Date | null;
  readonly defaultTerm: boolean;
  /** When the access-request system ended it, or null. */
  readonly revokedAt: Date | null;
  /** Whether the access-request system is still to be asked about it. */
  readonly confirmationDue: boolean;
}

const outcomes = [
  'granted',
  'prolonged',
  'shortened',
  'revoked',
  'unchanged',
  'stale',
  'unconfirmed',
  'refuted',
] as const;

/** What an element of a post is answered with: a decision, or one of what can be said without one. */
export const elementOutcomes = [...outcomes, 'precreated', 'unknown_resource'] as const;

/**
 * What a post does to an access. `stale`: an old grant that was delayed; `unconfirmed`: it waits until the access-request
 * system can be asked; `refuted`: nothing, for the access-request system knows of no such entitlement.
 */
export type Outcome = (typeof outcomes)[number];

/**
 * How far the elements can be believed: they are the word of the access-request system itself (`confirmed`), they claim
 * to be and it could not be asked (`unconfirmed`), or a post is all there is (`posted`).
 */
export type TrustLevel = 'posted' | 'confirmed' | 'unconfirmed';

/** The access as it is to be. */
export interface NextAccess {
  readonly status: CurrentAccess['status'];
  readonly expiresAt: Date | null;
  readonly defaultTerm: boolean;
  readonly revoked: boolean;
  /** Whether it is granted anew, so that its person has to be looked for. */
  readonly granted: boolean;
}

/** An outcome, and what has to be written for it; nothing when nothing changes. */
export interface Decision {
  readonly outcome: Outcome;
  readonly next?: NextAccess;
}

/** What a decision depends on beside the post. */
export interface DecisionContext {
  readonly now: Date;
  /** Days of an access whose entitlement names no end; 0: without end. */
  readonly defaultTermDays: number;
  /** What a grant begins as: `precreated` while its person has to be confirmed. */
  readonly firstStatus: 'precreated' | 'active';
  readonly trust: TrustLevel;
}

const dayMs = 86_400_000;

/**
 * Decides what the elements of one post about one entitlement do to its access (catalog interface, section 5).
 *
 * The latest end counts, and no end is later than any. An end that has passed ends the access at once. What the sender
 * ended comes to life again only by its confirmation, or by a post that shows it knows of that end: one that holds the
 * ended row too; anything else may be an old grant that was delayed. An access that we ended ourselves before its time
 * stays ended. What is not confirmed takes away, but gives nothing.
 *
 * @param ends of the elements; empty when the access-request system confirms that it has none
 */
export function decide(current: CurrentAccess | null, ends: readonly (Date | null)[], at: DecisionContext): Decision {
  if (ends.length === 0) return decideRefuted(current, at.now);
  const end = latest(ends);
  if (end && end <= at.now) return decideEnd(current, end);
  const fresh: NextAccess = {
    status: at.trust === 'unconfirmed' ? 'precreated' : at.firstStatus,
    expiresAt: end ?? defaultEnd(at),
    defaultTerm: end === null,
    revoked: false,
    granted: true,
  };
  if (!current) return { outcome: at.trust === 'unconfirmed' ? 'unconfirmed' : 'granted', next: fresh };
  if (at.trust === 'unconfirmed') return { outcome: repeats(current, end) ? 'unchanged' : 'unconfirmed' };
  if (current.revokedAt) {
    const knowsOfIt = at.trust === 'confirmed' || ends.some((each) => each && sameInstant(each, current.expiresAt));
    return knowsOfIt ? { outcome: 'granted', next: fresh } : { outcome: 'stale' };
  }
  return decideGrant(current, end, fresh, at.now);
}

/** What a believable grant does to an access that the sender did not end. */
function decideGrant(current: CurrentAccess, end: Date | null, fresh: NextAccess, now: Date): Decision {
  if (current.status === 'precreated' && current.confirmationDue) return { outcome: 'granted', next: fresh };
  const isOver = current.expiresAt !== null && current.expiresAt <= now;
  if (current.status === 'terminated' && !isOver) return { outcome: 'stale' };
  if (repeats(current, end)) return { outcome: 'unchanged' };
  const outcome = isLater(fresh.expiresAt, current.expiresAt) ? 'prolonged' : 'shortened';
  if (current.status === 'terminated') return { outcome, next: fresh };
  return { outcome, next: { ...fresh, status: current.status, granted: false } };
}

/** Whether an end is what the access was given already. */
function repeats(current: CurrentAccess, end: Date | null): boolean {
  if (current.revokedAt) return false;
  return end === null ? current.defaultTerm : !current.defaultTerm && sameInstant(end, current.expiresAt);
}

/** The access-request system has no such entitlement: whatever it granted before is over, and what waited for it too. */
function decideRefuted(current: CurrentAccess | null, now: Date): Decision {
  if (!current || current.status === 'terminated') return { outcome: 'refuted' };
  const decision = decideEnd(current, now);
  return current.confirmationDue && current.status === 'precreated' ? { ...decision, outcome: 'refuted' } : decision;
}

function decideEnd(current: CurrentAccess | null, end: Date): Decision {
  const known = current?.revokedAt && !isLater(end, current.expiresAt);
  if (known) return { outcome: 'unchanged' };
  return {
    outcome: current?.revokedAt ? 'unchanged' : 'revoked',
    next: { status: 'terminated', expiresAt: end, defaultTerm: false, revoked: true, granted: false },
  };
}

function defaultEnd({ now, defaultTermDays }: DecisionContext): Date | null {
  return defaultTermDays === 0 ? null : new Date(now.getTime() + defaultTermDays * dayMs);
}

function latest(ends: readonly (Date | null)[]): Date | null {
  return ends.reduce((one, other) => (isLater(one, other) ? one : other));
}

/** Whether one end is later than another; no end is the latest. */
function isLater(one: Date | null, other: Date | null): boolean {
  if (one === null) return other !== null;
  return other !== null && one > other;
}

function sameInstant(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime();
}
