import { validateSync } from 'class-validator';
import { settingsOf } from './setting.decorator.js';

/** An error for an invalid configuration. The message lists every problem on a line of its own and contains no secret. */
export class InvalidSettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidSettingsError';
  }
}

/** Environment variables by name. An empty value counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the settings of a service, read from the environment and validated.
 *
 * The class may have a method `check(): string[]` for rules between settings. Its problems are reported with the others.
 *
 * @throws InvalidSettingsError if any setting is not valid; the error names every such setting
 */
export function loadSettings<T extends object>(settingsClass: new () => T, environment: Environment): T {
  const settings = new settingsClass();
  const values = settings as Record<string, unknown>;
  const described = settingsOf(settingsClass);
  for (const { name, parse } of described) {
    const text = environment[name];
    if (text === undefined || text.trim() === '') continue;
    values[name] = parse ? parse(text) : text;
  }
  const secrets = new Set(described.filter((each) => each.secret).map((each) => each.name));
  const problems = validateSync(settings).flatMap((error) => {
    const shown = secrets.has(error.property) ? '' : ` (it is ${JSON.stringify(environment[error.property] ?? null)})`;
    return Object.values(error.constraints ?? {}).map((text) => `${text}${shown}`);
  });
  const check: unknown = values['check'];
  if (typeof check === 'function') problems.push(...(check.call(settings) as string[]));
  if (problems.length > 0) throw new InvalidSettingsError(problems);
  return Object.freeze(settings);
}
