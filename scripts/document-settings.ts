import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { type DescribedSetting, withSettingsTable } from './settings-table.ts';

/** A program: writes the table of settings in README.md anew from the settings classes; needs a build. */
const page = 'README.md';

interface SettingsLibrary {
  readonly settingsOf: (settingsClass: object) => readonly DescribedSetting[];
}

const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href);
const { settingsOf } = (await load('../libs/settings/dist/index.js')) as SettingsLibrary;
const { CatalogSettings } = (await load('../apps/catalog-api/dist/settings.js')) as Record<string, new () => object>;
if (!CatalogSettings) throw new Error('The settings class is missing.');

const services = [{ service: 'catalog-api', settings: settingsOf(CatalogSettings), defaults: new CatalogSettings() }];
const text = withSettingsTable(await readFile(page, 'utf8'), services);
await writeFile(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
