import 'reflect-metadata';

/** What the configuration reference says of one setting. */
export interface SettingDoc {
  /** What it is for, with unit and range, as one sentence. */
  readonly description: string;
  /** Shown where the default is not a fixed value, e.g. "the origin it is served from". */
  readonly defaultText?: string;
  /** A secret is never printed, not even when it is wrong. */
  readonly secret?: boolean;
  /** How the text of the environment becomes the value; the text itself when absent. */
  readonly parse?: (text: string) => unknown;
}

/** A documented setting: its environment name and its doc. */
export interface DescribedSetting extends SettingDoc {
  readonly name: string;
}

const settingsKey = Symbol('settings');

/**
 * Declares a property of a settings class as a setting. The property is the environment variable of the same name;
 * its initialiser is the default; class-validator's decorators beside it are its rules.
 */
export function Setting(doc: SettingDoc): PropertyDecorator {
  return (prototype, property) => {
    const described = settingsOf(prototype.constructor);
    Reflect.defineMetadata(settingsKey, [...described, { name: String(property), ...doc }], prototype.constructor);
  };
}

/** The settings a class declares, in the order in which it declares them. */
export function settingsOf(settingsClass: object): readonly DescribedSetting[] {
  return (Reflect.getMetadata(settingsKey, settingsClass) as DescribedSetting[] | undefined) ?? [];
}
