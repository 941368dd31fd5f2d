import { accountOf, rolesOf } from './claims.js';

describe(rolesOf.name, () => {
  it.each([
    ['roles', { roles: ['admin', 'root', 'auditor'] }, ['admin', 'auditor']],
    ['roles', { roles: 'auditor legal,unknown' }, ['auditor', 'legal']],
    ['realm_access.roles', { realm_access: { roles: ['legal', 'legal'] } }, ['legal']],
    ['https://example.org/roles', { 'https://example.org/roles': ['data_steward'] }, ['data_steward']],
    ['roles', {}, []],
    ['roles', { roles: { admin: true } }, []],
    ['roles', { roles: ['Admin', ' admin', 7, null] }, []],
    ['a.b.c', { a: 'admin' }, []],
    ['constructor.name', {}, []],
  ])('should read the claim %p of %j as %j', (claim, claims, expected) => {
    expect(rolesOf(claims, claim)).toEqual(expected);
  });
});

describe(accountOf.name, () => {
  it('should treat an address as verified only when the claim is the boolean true', () => {
    for (const said of [undefined, false, 'true', 1]) {
      expect(accountOf('s', { email: 'a@example.org', email_verified: said }).verified).toBe(false);
    }
    expect(accountOf('s', { email_verified: true })).toEqual({
      subject: 's',
      email: null,
      firstName: null,
      lastName: null,
      verified: true,
      enabled: true,
    });
  });
});
