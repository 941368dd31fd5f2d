import { maxPasswordLength } from './password-length.js';
import { PasswordRules } from './password-rules.js';

const owner = { email: 'jo.doe@example.org', firstName: 'Jo', lastName: 'Doe' };

/** The maximum processor time of one comparison. */
const maxMs = 25;

describe(PasswordRules.name, () => {
  const rules = new PasswordRules();

  it.each(['p4$$w0rd1234', 'Pa55w0rd!2024', '!l0v3y0u!l0v3y0u'])(
    'should refuse %s when its letters are replaced by signs',
    (password) => {
      expect(rules.problemOf(password, owner)).toMatch(/easy to guess/);
    },
  );

  it.each([
    '!l|i1il|1i!|!iii1l1l!!l!|!i!iii!111|illli!!i!i|liiill11l1il11ill',
    '4@8({[<369!1|0$57+7x%2',
    '(vz@|![[6+9@$@4(5+0v',
  ])('should not block the process when a long password consists of %s', (part) => {
    const password = part.repeat(maxPasswordLength).slice(0, maxPasswordLength);
    rules.problemOf('correct horse battery staple', owner);
    expect(Math.min(...[1, 2, 3, 4, 5].map(() => processorMsOf(() => rules.problemOf(password, owner))))).toBeLessThan(
      maxMs,
    );
  });
});

function processorMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
