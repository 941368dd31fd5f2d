/** One setting, as a settings class describes it (`settingsOf` of the settings library). */
export interface DescribedSetting {
  readonly name: string;
  readonly description: string;
  readonly defaultText?: string;
  readonly secret?: boolean;
}

/** The settings of one service, and an instance of the class that holds their defaults. */
export interface DescribedService {
  readonly service: string;
  readonly settings: readonly DescribedSetting[];
  readonly defaults: object;
}

const begin = '<!-- settings: written by npm run docs:settings -->';
const end = '<!-- end of settings -->';

/** Returns the page with the table of all settings between its two marks. */
export function withSettingsTable(page: string, services: readonly DescribedService[]): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`docs/configuration.md must contain the marks ${begin} and ${end}.`);
  return `${page.slice(0, from)}${begin}\n\n${settingsTable(services)}\n\n${page.slice(to)}`;
}

/** Returns the table. A setting that both services describe in the same words has one row. */
function settingsTable(services: readonly DescribedService[]): string {
  const rows = new Map<string, { readonly cells: readonly string[]; readonly readers: string[] }>();
  for (const { service, settings, defaults } of services) {
    for (const setting of settings) {
      const cells = [`\`${setting.name}\``, cell(defaultOf(setting, defaults)), cell(setting.description)];
      const key = cells.join('|');
      const row = rows.get(key) ?? { cells, readers: [] };
      row.readers.push(service);
      rows.set(key, row);
    }
  }
  const lines = [...rows.values()].map(({ cells, readers }) => `| ${[...cells, readers.join(', ')].join(' | ')} |`);
  return ['| Setting | Default | Meaning | Read by |', '|---|---|---|---|', ...lines.sort()].join('\n');
}

function defaultOf({ name, defaultText, secret }: DescribedSetting, defaults: object): string {
  if (defaultText !== undefined) return defaultText;
  const value = (defaults as Record<string, unknown>)[name];
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty || secret
    ? ''
    : `\`${Array.isArray(value) ? value.join(',') : JSON.stringify(value)}\``.replaceAll('"', '');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
