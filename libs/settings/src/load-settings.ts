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
 * A class whose properties are settings. The class may have a method `check(settings: Settings): string[]` for rules
 * between settings, also those of other classes. Its problems are reported with the others.
 */
export type SettingsClass<T extends object = object> = new () => T;

/** The settings of a service: one object of each of its settings classes. */
export class Settings {
  constructor(private readonly objects: ReadonlyMap<SettingsClass, object>) {}

  /** @throws Error if the service does not load the class */
  get<T extends object>(settingsClass: SettingsClass<T>): T {
    const settings = this.objects.get(settingsClass);
    if (!settings) throw new Error(`The service has no settings of the class ${settingsClass.name}.`);
    return settings as T;
  }
}

/**
 * Returns the settings of a service, read from the environment and validated.
 *
 * @throws InvalidSettingsError if any setting is not valid; the error names every such setting of all classes
 */
export function loadSettings(classes: readonly SettingsClass[], environment: Environment): Settings {
  const objects = new Map(classes.map((each) => [each, readSettings(each, environment)]));
  const settings = new Settings(objects);
  const problems = [...objects].flatMap(([each, values]) => problemsOf(each, values, environment));
  for (const values of objects.values()) {
    const { check } = values as { check?: (settings: Settings) => string[] };
    if (check) problems.push(...check.call(values, settings));
  }
  if (problems.length > 0) throw new InvalidSettingsError(problems);
  objects.forEach(Object.freeze);
  return settings;
}

function readSettings(settingsClass: SettingsClass, environment: Environment): object {
  const values = new settingsClass() as Record<string, unknown>;
  for (const { name, parse } of settingsOf(settingsClass)) {
    const text = environment[name];
    if (text === undefined || text.trim() === '') continue;
    values[name] = parse ? parse(text) : text;
  }
  return values;
}

function problemsOf(settingsClass: SettingsClass, values: object, environment: Environment): string[] {
  const described = settingsOf(settingsClass);
  const secrets = new Set(described.filter((each) => each.secret).map((each) => each.name));
  return validateSync(values).flatMap((error) => {
    const shown = secrets.has(error.property) ? '' : ` (it is ${JSON.stringify(environment[error.property] ?? null)})`;
    return Object.values(error.constraints ?? {}).map((text) => `${text}${shown}`);
  });
}
