// Checks the messages of commits: an imperative subject of at most 72 characters, an empty line, and a body that gives
// the reason.
//
//   node scripts/check-commits.js FILE      checks the message in a file, as the hook commit-msg does
//   node scripts/check-commits.js --all     checks each commit since the rule was introduced, as CI does
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The last commit before the rule. A shallow clone does not have it; then every commit of the clone is checked. */
const lastBefore = 'bfc519bd6c1bbc8be41901fdd1a7e8458b7dba86';

const maxSubject = 72;

/** First words that no imperative sentence has. */
const notImperative = /^(a|an|the|that|what|who|how|which|whether|when|where|why|it|this|these|now|no|not)$/i;

/** Verbs in another form than the imperative: adds, added, adding. The exceptions are imperatives of that shape. */
const otherForm = /(?<!s)s$|(?<!e)ed$|ing$/i;
const imperatives = /^(bring|embed|focus|alias|ping|bias|canvas|shed|sled|string|swing)$/i;

/** Returns the faults of a commit message, each as a sentence. */
export function faultsOf(message) {
  const lines = message
    .replace(/^#.*\n?/gm, '')
    .trimEnd()
    .split('\n');
  const [subject = '', separator, ...body] = lines;
  if (/^(Merge|Revert|fixup!|squash!) /.test(subject)) return [];
  const [verb = ''] = subject.split(/\s/);
  const faults = [];
  if (subject.length > maxSubject) {
    faults.push(`The subject has ${subject.length} characters; the limit is ${maxSubject}.`);
  }
  if (!/^[A-Z]/.test(subject)) faults.push('The subject must begin with a capital letter.');
  if (/[.]$/.test(subject)) faults.push('The subject must not end with a full stop.');
  if (notImperative.test(verb) || (otherForm.test(verb) && !imperatives.test(verb))) {
    faults.push(
      `The subject must begin with a verb in the imperative, such as "Add" or "Refuse"; it begins with "${verb}".`,
    );
  }
  if (separator !== undefined && separator !== '') faults.push('The second line must be empty.');
  if (body.join('').trim() === '') faults.push('The body must give the reason for the change.');
  return faults;
}

function messagesSinceTheRule() {
  const isThere = (() => {
    try {
      execFileSync('git', ['cat-file', '-e', `${lastBefore}^{commit}`], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })();
  const range = isThere ? [`${lastBefore}..HEAD`] : ['HEAD'];
  const log = execFileSync('git', ['log', '--no-merges', '--format=%h%x00%B%x01', ...range], { encoding: 'utf8' });
  return log
    .split('\x01')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => entry.split('\0'));
}

if (process.argv[1] === import.meta.filename) {
  const [argument = '--all'] = process.argv.slice(2);
  const messages = argument === '--all' ? messagesSinceTheRule() : [['This commit', readFileSync(argument, 'utf8')]];
  const faults = messages.flatMap(([name, message]) => faultsOf(message).map((fault) => `${name}: ${fault}`));
  if (faults.length > 0) {
    console.error(faults.join('\n'));
    process.exitCode = 1;
  }
}
