import { validateSync } from 'class-validator';
import { settingsOf } from './setting.decorator.js';

/** The environment does not make valid settings. The message lists every problem, one a line, without any secret. */
export class InvalidSettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`These settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidSettingsError';
  }
}

/** A variable as it stands in the environment; an empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes the settings object of a service from its environment.
 *
 * A class may add `check(): string[]` for rules between settings; what it returns is reported with the rest.
 *
 * @throws InvalidSettingsError naming every bad setting at once.
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
