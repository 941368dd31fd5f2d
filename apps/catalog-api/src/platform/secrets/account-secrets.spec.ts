import { AccountSecrets } from './account-secrets.js';

describe(AccountSecrets.name, () => {
  const secrets = new AccountSecrets(['the current secret']);
  const previous = new AccountSecrets(['the previous secret']);
  const rotating = new AccountSecrets(['the current secret', 'the previous secret']);

  it('should open a sealed text for the same owner and purpose only', () => {
    const sealed = secrets.seal('second factor', 'JBSWY3DPEHPK3PXP', 'user:7');
    expect(secrets.open('second factor', sealed, 'user:7')).toEqual({ text: 'JBSWY3DPEHPK3PXP', isStale: false });
    expect(secrets.open('second factor', sealed, 'user:8')).toBeNull();
    expect(secrets.open('recovery code', sealed, 'user:7')).toBeNull();
    expect(previous.open('second factor', sealed, 'user:7')).toBeNull();
    expect(sealed).not.toContain('JBSWY3DPEHPK3PXP');
  });

  it('should seal the same text differently each time', () => {
    expect(secrets.seal('second factor', 'a', 'user:7')).not.toBe(secrets.seal('second factor', 'a', 'user:7'));
  });

  it('should open a text of the previous secret during a rotation, and mark it as stale', () => {
    const sealed = previous.seal('second factor', 'a', 'user:7');
    expect(rotating.open('second factor', sealed, 'user:7')).toEqual({ text: 'a', isStale: true });
    expect(rotating.candidates('password link', 'token')).toEqual([
      secrets.hash('password link', 'token'),
      previous.hash('password link', 'token'),
    ]);
  });

  it.each(['', 'v1.', 'v1.AAAA', 'v2.AAAA', 'plain text'])(
    'should open nothing when the stored text is %j',
    (sealed) => {
      expect(secrets.open('second factor', sealed, 'user:7')).toBeNull();
    },
  );

  it('should hash differently for each purpose', () => {
    expect(secrets.hash('password link', 'a')).not.toBe(secrets.hash('recovery code', 'a'));
  });
});
