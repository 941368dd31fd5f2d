export { isCron, nextCronTime } from './cron.js';
export { InvalidSettingsError, loadSettings, Settings, type Environment, type SettingsClass } from './load-settings.js';
export { parseBoolean, parseBytes, parseList, parseNumber } from './parsers.js';
export { Setting, settingsOf, type DescribedSetting, type SettingDoc } from './setting.decorator.js';
export { SettingsModule } from './settings.module.js';
