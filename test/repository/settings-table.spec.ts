import { settingsOf } from '@rdc/settings';
import { readFileSync } from 'node:fs';
import { CatalogSettings } from '../../apps/catalog-api/src/platform/settings/catalog.settings.ts';
import { ProvisionerSettings } from '../../apps/provisioner/src/settings/provisioner.settings.ts';
import { withSettingsTable } from '../../scripts/settings-table.ts';

describe('the table of settings in docs/configuration.md', () => {
  it('should be what npm run docs:settings writes', () => {
    const page = readFileSync('docs/configuration.md', 'utf8');
    const services = [
      { service: 'catalog-api', settings: settingsOf(CatalogSettings), defaults: new CatalogSettings() },
      { service: 'provisioner', settings: settingsOf(ProvisionerSettings), defaults: new ProvisionerSettings() },
    ];
    expect(cellsOf(page)).toEqual(cellsOf(withSettingsTable(page, services)));
  });
});

/** Returns the rows of a page's tables without padding and marks of emphasis, which formatting changes. */
function cellsOf(page: string): string[][] {
  const rows = page.split('\n').filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line));
  return rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('*', '_')));
}
