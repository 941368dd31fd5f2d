import { faultsOf } from './check-commits.js';

const reason = '\n\nStrangers read the log.';

describe('faultsOf', () => {
  it.each(['Add a rule', 'Embed the database', 'Bring the console up', 'Pass the signal on', 'Refuse `..` in paths'])(
    'should accept the subject %j',
    (subject) => {
      expect(faultsOf(`${subject}${reason}\n`)).toEqual([]);
    },
  );

  it.each([
    ['What the rule refuses', 'imperative'],
    ['Adds a rule', 'imperative'],
    ['Added a rule', 'imperative'],
    ['Adding a rule', 'imperative'],
    ['add a rule', 'capital'],
    ['Add a rule.', 'full stop'],
    [`Add ${'x'.repeat(69)}`, '72'],
  ])('should refuse the subject %j', (subject, fault) => {
    expect(faultsOf(`${subject}${reason}`).join()).toContain(fault);
  });

  it('should refuse a message without a body', () => {
    expect(faultsOf('Add a rule\n')).toEqual(['The body must give the reason for the change.']);
    expect(faultsOf('Add a rule\n\n# a comment of git\n')).toEqual(['The body must give the reason for the change.']);
  });

  it('should refuse a body that follows the subject without an empty line', () => {
    expect(faultsOf('Add a rule\nbecause')).toContain('The second line must be empty.');
  });
});
