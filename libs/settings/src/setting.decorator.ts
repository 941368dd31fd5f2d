import 'reflect-metadata';

/** The entry of a setting in the configuration reference. */
export interface SettingDoc {
  /** The purpose of the setting with its unit and range. */
  readonly description: string;
  /** A description of the default, if the default is not a fixed value. */
  readonly defaultText?: string;
  /** Whether the value is a secret, which is never printed, even if the value is not valid. */
  readonly secret?: boolean;
  /** Converts the text of the environment to the value. If absent, the text is the value. */
  readonly parse?: (text: string) => unknown;
}

/** A setting with its name and its documentation. */
export interface DescribedSetting extends SettingDoc {
  readonly name: string;
}

const settingsKey = Symbol('settings');

/**
 * Declares a property of a settings class as a setting. The name of the property is the name of the environment
 * variable, its initialiser is the default, and its class-validator decorators are the rules.
 */
export function Setting(doc: SettingDoc): PropertyDecorator {
  return (prototype, property) => {
    const described = settingsOf(prototype.constructor);
    Reflect.defineMetadata(settingsKey, [...described, { name: String(property), ...doc }], prototype.constructor);
  };
}

/** Returns the settings that a class declares, in the order of declaration. */
export function settingsOf(settingsClass: object): readonly DescribedSetting[] {
  return (Reflect.getMetadata(settingsKey, settingsClass) as DescribedSetting[] | undefined) ?? [];
}
