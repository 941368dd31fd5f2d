import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { recordAccountEvents } from './account-events.ts';
import type { SampleKeys } from './launcher/kept-secrets.ts';
import { originOf, readLauncherSettings } from './launcher/launcher-settings.ts';

/**
 * Takes the screenshots in `docs/screenshots` of the console of a running `npm start`. Requires the same `PORT` and
 * `DATA_DIR` as `npm start`, and Debian's `chromium`.
 */
const pictures: readonly Picture[] = [
  { name: 'overview', path: '/', scheme: 'light' },
  { name: 'dataset', path: '/datasets/RDC_11', scheme: 'light' },
  { name: 'imports', path: '/imports/datasets', scheme: 'dark' },
  { name: 'delivery', path: '/imports/datasets/RDC_11', scheme: 'light' },
  { name: 'audit-trail', path: '/audit', scheme: 'light' },
];

/** A page of the console and the form of its screenshot. */
interface Picture {
  readonly name: string;
  readonly path: string;
  readonly scheme: 'light' | 'dark';
}

const settings = readLauncherSettings(process.env, process.cwd());
const { admin, global } = JSON.parse(await readFile(join(settings.dataFolder, 'keys.json'), 'utf8')) as SampleKeys;
if (!admin)
  throw new Error(
    'The data folder has no sample administrator: run npm start without DATABASE_URL and ADMIN_EMAIL first.',
  );
await recordAccountEvents(originOf(settings), global);
const folder = resolve('docs/screenshots');
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, locale: 'en-GB' });
await page.goto(`${originOf(settings)}/console`);
await page.getByRole('textbox', { name: 'E-mail address' }).fill(admin.email);
await page.getByLabel(/^Password/).fill(admin.password);
await page.getByRole('button', { name: 'Sign in', exact: true }).click();
await page.getByRole('navigation').waitFor();
for (const { name, path, scheme } of pictures) {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.goto(`${originOf(settings)}/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
await browser.close();
