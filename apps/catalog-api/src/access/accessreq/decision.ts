/** The current access of an entitlement. */
export interface CurrentAccess {
  readonly status: 'precreated' | 'active' | 'suspended' | 'terminated';
  readonly expiresAt: Date | null;
  readonly defaultTerm: boolean;
  /** When the access-request system ended the access; null if the system did not end the access. */
  readonly revokedAt: Date | null;
  /** Whether the access waits for a confirmation by the access-request system. */
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

/** The outcomes of an element of a post, including outcomes without a decision. */
export const elementOutcomes = [...outcomes, 'precreated', 'unknown_resource'] as const;

/**
 * The effect of a post on an access. `stale`: a delayed old grant, which changes nothing. `unconfirmed`: the grant
 * waits until the access-request system confirms it. `refuted`: the access-request system has no such entitlement.
 */
export type Outcome = (typeof outcomes)[number];

/**
 * The trust in a claim. `confirmed`: the access-request system returned it. `unconfirmed`: the access-request system
 * was unreachable. `posted`: no access-request system is configured, so the post alone counts.
 */
export type TrustLevel = 'posted' | 'confirmed' | 'unconfirmed';

/** The access after a decision. */
export interface NextAccess {
  readonly status: CurrentAccess['status'];
  readonly expiresAt: Date | null;
  readonly defaultTerm: boolean;
  readonly revoked: boolean;
  /** Whether the access is a new grant, so that the person has to be found. */
  readonly granted: boolean;
}

/** An outcome and the access to write. If `next` is absent, the access does not change. */
export interface Decision {
  readonly outcome: Outcome;
  readonly next?: NextAccess;
}

/** The inputs of a decision in addition to the post. */
export interface DecisionContext {
  readonly now: Date;
  /** The days of an access whose entitlement has no end; 0 for no limit. */
  readonly defaultTermDays: number;
  /** The first status of a grant: `precreated` if the person has to be found at the identity provider. */
  readonly firstStatus: 'precreated' | 'active';
  readonly trust: TrustLevel;
}

const dayMs = 86_400_000;

/**
 * Decides the effect of the elements of one post about one entitlement.
 *
 * The latest end counts; a missing end is the latest. An end in the past ends the access immediately. An access that
 * the sender ended is granted again only by a confirmation, or by a post that also contains the ended row: any other
 * post may be a delayed old grant. An access that an administrator terminated before its end stays terminated. An
 * unconfirmed claim can end an access, but cannot grant one.
 *
 * @param ends the ends of the elements; empty if the access-request system confirms that the entitlement does not exist
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
    const isAwareOfEnd = at.trust === 'confirmed' || ends.some((each) => each && sameInstant(each, current.expiresAt));
    return isAwareOfEnd ? { outcome: 'granted', next: fresh } : { outcome: 'stale' };
  }
  return decideGrant(current, end, fresh, at.now);
}

/** Decides the effect of a trusted grant on an access that the sender did not end. */
function decideGrant(current: CurrentAccess, end: Date | null, fresh: NextAccess, now: Date): Decision {
  if (current.status === 'precreated' && current.confirmationDue) return { outcome: 'granted', next: fresh };
  const isOver = current.expiresAt !== null && current.expiresAt <= now;
  if (current.status === 'terminated' && !isOver) return { outcome: 'stale' };
  if (repeats(current, end)) return { outcome: 'unchanged' };
  const outcome = isLater(fresh.expiresAt, current.expiresAt) ? 'prolonged' : 'shortened';
  if (current.status === 'terminated') return { outcome, next: fresh };
  return { outcome, next: { ...fresh, status: current.status, granted: false } };
}

/** Whether an access already has this end. */
function repeats(current: CurrentAccess, end: Date | null): boolean {
  if (current.revokedAt) return false;
  return end === null ? current.defaultTerm : !current.defaultTerm && sameInstant(end, current.expiresAt);
}

/** Decides the effect of a missing entitlement: the access ends, even if it waits for a confirmation. */
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

/** Whether one end is later than another; a missing end is the latest. */
function isLater(one: Date | null, other: Date | null): boolean {
  if (one === null) return other !== null;
  return other !== null && one > other;
}

function sameInstant(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime();
}
