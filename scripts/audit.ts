import { spawnSync } from 'node:child_process';

/**
 * Asks the registry whether what we ship has known weaknesses: `npm run audit`.
 *
 * Exit codes: 0, none that is not explained below; 1, some; 75, the registry could not be asked (some mirrors do not
 * answer audits), which is neither.
 */
const accepted: Readonly<Record<string, string>> = {
  // 'GHSA-xxxx-xxxx-xxxx': 'why it cannot be used against us, and until when we live with it'
};

interface Report {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | { readonly url: string })[] }>>;
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
const { vulnerabilities, message = 'no answer' } = read(stdout);
if (!vulnerabilities) {
  process.stdout.write(`The registry could not be asked about known weaknesses: ${message}\n`);
  process.exit(75);
}
const found = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
  via.flatMap((each) => (typeof each === 'string' ? [] : [{ name, advisory: each.url.split('/').at(-1) ?? each.url }])),
);
const unexplained = found.filter(({ advisory }) => !(advisory in accepted));
for (const { name, advisory } of unexplained) process.stdout.write(`${name}: ${advisory}\n`);
process.stdout.write(`${String(found.length)} known weaknesses, ${String(unexplained.length)} of them not explained\n`);
process.exitCode = unexplained.length > 0 ? 1 : 0;

function read(json: string): Report {
  try {
    return JSON.parse(json) as Report;
  } catch {
    return {};
  }
}
