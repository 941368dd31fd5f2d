import { spawnSync } from 'node:child_process';

/**
 * Requests the known weaknesses of the dependencies from the registry: `npm run audit`.
 *
 * Exit codes: 0 if every weakness is explained below, 1 if one is not, 75 if the registry did not answer, because some
 * mirrors do not support audits.
 */
const accepted: Readonly<Record<string, string>> = {
  // 'GHSA-xxxx-xxxx-xxxx': 'the reason for which it does not affect this system, and the date of its removal'
};

interface Report {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | { readonly url: string })[] }>>;
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
const { vulnerabilities, message = 'no answer' } = read(stdout);
if (!vulnerabilities) {
  process.stdout.write(`The registry did not answer the audit: ${message}\n`);
  process.exit(75);
}
const found = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
  via.flatMap((each) => (typeof each === 'string' ? [] : [{ name, advisory: each.url.split('/').at(-1) ?? each.url }])),
);
const unexplained = found.filter(({ advisory }) => !(advisory in accepted));
for (const { name, advisory } of unexplained) process.stdout.write(`${name}: ${advisory}\n`);
process.stdout.write(
  `${String(found.length)} known weaknesses, ${String(unexplained.length)} without an explanation\n`,
);
process.exitCode = unexplained.length > 0 ? 1 : 0;

function read(json: string): Report {
  try {
    return JSON.parse(json) as Report;
  } catch {
    return {};
  }
}
