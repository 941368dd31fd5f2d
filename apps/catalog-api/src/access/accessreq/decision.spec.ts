import { decide, type TrustLevel, type Decision, type Outcome, type CurrentAccess } from './decision.js';

const day = 86_400_000;
const now = new Date('2026-06-01T12:00:00Z');
const inDays = (days: number): Date => new Date(now.getTime() + days * day);

const active: CurrentAccess = {
  status: 'active',
  expiresAt: inDays(10),
  defaultTerm: false,
  revokedAt: null,
  confirmationDue: false,
};
const byDefault: CurrentAccess = { ...active, expiresAt: inDays(30), defaultTerm: true };
const endless: CurrentAccess = { ...active, expiresAt: null, defaultTerm: true };
const expired: CurrentAccess = { ...active, expiresAt: inDays(-1) };
const swept: CurrentAccess = { ...expired, status: 'terminated' };
const sweptDefault: CurrentAccess = { ...swept, defaultTerm: true };
const revoked: CurrentAccess = { ...swept, revokedAt: inDays(-1) };
const endedHere: CurrentAccess = { ...active, status: 'terminated' };
const waiting: CurrentAccess = { ...active, status: 'precreated' };
const unconfirmed: CurrentAccess = { ...waiting, confirmationDue: true };

function decided(
  current: CurrentAccess | null,
  ends: readonly (Date | null)[],
  trust: TrustLevel = 'posted',
  defaultTermDays = 90,
): Decision {
  return decide(current, ends, { now, defaultTermDays, firstStatus: 'active', trust });
}

describe('decide', () => {
  it.each<[string, CurrentAccess | null, (Date | null)[], Outcome]>([
    ['a first grant', null, [inDays(5)], 'granted'],
    ['a first grant without end', null, [null], 'granted'],
    ['a repetition', active, [inDays(10)], 'unchanged'],
    ['a repetition without end', byDefault, [null], 'unchanged'],
    ['a repetition without end after the default term', sweptDefault, [null], 'unchanged'],
    ['a later end', active, [inDays(11)], 'prolonged'],
    ['an access whose end was removed', active, [null], 'prolonged'],
    ['an end of an access that had none', endless, [inDays(11)], 'shortened'],
    ['an earlier end', active, [inDays(9)], 'shortened'],
    ['an end at this instant', active, [now], 'revoked'],
    ['a past end', active, [inDays(-5)], 'revoked'],
    ['a past end without a grant', null, [inDays(-5)], 'revoked'],
    ['a past end of an expired access', expired, [inDays(-1)], 'revoked'],
    ['the same past end twice', revoked, [inDays(-1)], 'unchanged'],
    ['a later past end', revoked, [inDays(-0.5)], 'unchanged'],
    ['the latest of several', active, [inDays(-3), inDays(12), inDays(3)], 'prolonged'],
    ['none as the latest of several', active, [inDays(12), null], 'prolonged'],
    ['a prolongation after the end', expired, [inDays(5)], 'prolonged'],
    ['a prolongation after the sweep', swept, [inDays(5)], 'prolonged'],
    ['a late grant after a revocation', revoked, [inDays(5)], 'stale'],
    ['a late grant with an ended row of another access', revoked, [inDays(-3), inDays(5)], 'stale'],
    ['a new grant that holds the ended row', revoked, [inDays(-1), inDays(5)], 'granted'],
    ['a grant of an access that the catalog ended early', endedHere, [inDays(20)], 'stale'],
    ['a prolongation of a waiting access', waiting, [inDays(20)], 'prolonged'],
    ['a post after the confirmation was disabled', unconfirmed, [inDays(10)], 'granted'],
  ])('should return the outcome of %s', (_, current, ends, outcome) => {
    expect(decided(current, ends).outcome).toBe(outcome);
  });

  it.each<[string, CurrentAccess | null, (Date | null)[], Outcome]>([
    ['a lone open row after a revocation', revoked, [inDays(5)], 'granted'],
    ['a waiting access', unconfirmed, [inDays(10)], 'granted'],
    ['a repetition', active, [inDays(10)], 'unchanged'],
    ['no entitlement for an active access', active, [], 'revoked'],
    ['no entitlement for a waiting access', unconfirmed, [], 'refuted'],
    ['no entitlement for a revoked access', revoked, [], 'refuted'],
    ['no entitlement without an access', null, [], 'refuted'],
    ['an access that the catalog ended early', endedHere, [inDays(20)], 'stale'],
  ])('should apply the confirmation of %s', (_, current, ends, outcome) => {
    expect(decided(current, ends, 'confirmed').outcome).toBe(outcome);
  });

  it.each<[string, CurrentAccess | null, (Date | null)[], Outcome]>([
    ['a first grant', null, [inDays(5)], 'unconfirmed'],
    ['a prolongation', active, [inDays(15)], 'unconfirmed'],
    ['a shortening', active, [inDays(5)], 'unconfirmed'],
    ['a grant after a revocation', revoked, [inDays(-1), inDays(5)], 'unconfirmed'],
    ['a repetition', active, [inDays(10)], 'unchanged'],
    ['a revocation', active, [inDays(-5)], 'revoked'],
  ])('should not grant %s without a confirmation', (_, current, ends, outcome) => {
    const { outcome: actual, next } = decided(current, ends, 'unconfirmed');
    expect(actual).toBe(outcome);
    expect(next?.status).not.toBe('active');
  });

  it('should end an access at the given instant and record the revocation', () => {
    expect(decided(active, [inDays(-5)]).next).toEqual({
      status: 'terminated',
      expiresAt: inDays(-5),
      defaultTerm: false,
      revoked: true,
      granted: false,
    });
  });

  it('should count the default term from the grant, and set no end when there is no default term', () => {
    expect(decided(null, [null]).next).toMatchObject({ expiresAt: inDays(90), defaultTerm: true });
    expect(decided(null, [null], 'posted', 0).next).toMatchObject({ expiresAt: null, defaultTerm: true });
  });

  it('should keep the status of a waiting or suspended access when its end changes', () => {
    for (const status of ['precreated', 'suspended'] as const) {
      const { next } = decided({ ...active, status }, [inDays(20)]);
      expect(next).toMatchObject({ status, expiresAt: inDays(20), granted: false });
    }
  });

  it('should require the person again when an ended access is granted again', () => {
    expect(decided(swept, [inDays(20)]).next).toMatchObject({ status: 'active', granted: true });
    expect(decided(revoked, [inDays(-1), inDays(20)]).next).toMatchObject({ status: 'active', granted: true });
  });
});
