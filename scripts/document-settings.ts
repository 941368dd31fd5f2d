import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { type DescribedService, type DescribedSetting, withSettingsTable } from './settings-table.ts';

/** Writes the table of settings in docs/configuration.md from the settings classes. Requires a build. */
const page = 'docs/configuration.md';

interface SettingsLibrary {
  readonly settingsOf: (settingsClass: object) => readonly DescribedSetting[];
}

type SettingsClasses = readonly (new () => object)[];

const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href);
const { settingsOf } = (await load('../libs/settings/dist/index.js')) as SettingsLibrary;

async function describe(service: string, file: string): Promise<DescribedService> {
  const module = (await load(`../apps/${service}/dist/${file}`)) as { readonly settingsClasses: SettingsClasses };
  const { settingsClasses: classes } = module;
  return {
    service,
    settings: classes.flatMap(settingsOf),
    defaults: Object.assign({}, ...classes.map((each) => new each())) as object,
  };
}

const services = [
  await describe('catalog-api', 'app/catalog.settings.js'),
  await describe('provisioner', 'settings/provisioner.settings.js'),
];
const text = withSettingsTable(await readFile(page, 'utf8'), services);
await writeFile(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
