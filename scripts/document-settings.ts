import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { type DescribedService, type DescribedSetting, withSettingsTable } from './settings-table.ts';

/** Writes the table of settings in docs/configuration.md from the settings classes. Requires a build. */
const page = 'docs/configuration.md';

interface SettingsLibrary {
  readonly settingsOf: (settingsClass: object) => readonly DescribedSetting[];
}

const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href);
const { settingsOf } = (await load('../libs/settings/dist/index.js')) as SettingsLibrary;

async function describe(service: string, file: string, className: string): Promise<DescribedService> {
  const module = (await load(`../apps/${service}/dist/${file}`)) as Record<string, new () => object>;
  const settingsClass = module[className];
  if (!settingsClass) throw new Error(`The build of ${service} has no class ${className}. Run npm run build.`);
  return { service, settings: settingsOf(settingsClass), defaults: new settingsClass() };
}

const services = [
  await describe('catalog-api', 'platform/settings/catalog.settings.js', 'CatalogSettings'),
  await describe('provisioner', 'settings/provisioner.settings.js', 'ProvisionerSettings'),
];
const text = withSettingsTable(await readFile(page, 'utf8'), services);
await writeFile(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
