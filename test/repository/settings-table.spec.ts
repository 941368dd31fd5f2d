import { settingsOf, type SettingsClass } from '@rdc/settings';
import { readFileSync } from 'node:fs';
import { settingsClasses as ofCatalog } from '../../apps/catalog-api/src/app/catalog.settings.ts';
import { settingsClasses as ofProvisioner } from '../../apps/provisioner/src/settings/provisioner.settings.ts';
import { type DescribedService, withSettingsTable } from '../../scripts/settings-table.ts';

describe('the table of settings in docs/configuration.md', () => {
  it('should be what npm run docs:settings writes', () => {
    const page = readFileSync('docs/configuration.md', 'utf8');
    const services = [describedService('catalog-api', ofCatalog), describedService('provisioner', ofProvisioner)];
    expect(cellsOf(page)).toEqual(cellsOf(withSettingsTable(page, services)));
  });
});

function describedService(service: string, classes: readonly SettingsClass[]): DescribedService {
  const defaults = Object.assign({}, ...classes.map((each) => new each())) as object;
  return { service, settings: classes.flatMap(settingsOf), defaults };
}

/** Returns the rows of a page's tables without padding and marks of emphasis, which formatting changes. */
function cellsOf(page: string): string[][] {
  const rows = page.split('\n').filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line));
  return rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('*', '_')));
}
