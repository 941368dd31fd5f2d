import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { admin } from './console-system.ts';

/** Where Debian has its browser; `CHROMIUM` names another. */
const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A rule of accessibility that a page breaks, and where. */
export interface Violation {
  readonly rule: string;
  readonly places: readonly string[];
}

interface AxeNode {
  readonly html: string;
  readonly failureSummary: string;
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly AxeNode[] }[];
}

/** Somebody who uses the console in a Chromium of their own. */
export class Visitor {
  /** Everything the browser complained of: errors of scripts, and what the page's policy has refused. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    private readonly browser: Browser,
    private readonly origin: string,
  ) {
    page.on('console', (message) => {
      // A refused request is shown by the page itself, and asking who is signed in begins with one.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }

  /** @param size of the window, in CSS pixels */
  static async come(origin: string, size = { width: 1280, height: 900 }): Promise<Visitor> {
    const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
    // Nothing moves: a dialog that is fading out would still answer to what is looked for in the next.
    const context = await browser.newContext({
      viewport: size,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(30_000);
    return new Visitor(await context.newPage(), context, browser, origin);
  }

  /** Opens an address below `/console`. */
  async open(path = '/'): Promise<void> {
    await this.page.goto(`${this.origin}/console${path}`);
  }

  /** Opens an address and signs in there. */
  async signIn(person = admin, path = '/'): Promise<void> {
    await this.open(path);
    await this.fillIn(person);
    await this.page.getByRole('navigation').waitFor();
  }

  /** Fills in the form to sign in that is shown. */
  async fillIn({ login, password }: typeof admin): Promise<void> {
    await this.page.getByRole('textbox', { name: 'E-mail address' }).fill(login);
    await this.page.getByLabel(/^Password/).fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Waits for the heading of a page. */
  async heading(name: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  /** What axe finds wrong with the page as it is now, in light colours and in dark ones. */
  async violations(): Promise<Violation[]> {
    await this.page.locator('h1').waitFor();
    await this.page.evaluate(axe);
    const shown = (await this.page.evaluate<boolean>('matchMedia("(prefers-color-scheme: dark)").matches'))
      ? 'dark'
      : 'light';
    const found = [...(await this.violationsIn('light')), ...(await this.violationsIn('dark'))];
    await this.page.emulateMedia({ colorScheme: shown });
    return found;
  }

  private async violationsIn(colorScheme: 'light' | 'dark'): Promise<Violation[]> {
    await this.page.emulateMedia({ colorScheme });
    await this.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    // Colours on their way from one to the other are nobody's: what moves is first brought to its end.
    await this.page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))');
    const { violations } = await this.page.evaluate<AxeResults>('axe.run()');
    return violations.map(({ id, nodes }) => ({
      rule: `${id}, ${colorScheme}`,
      places: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
    }));
  }

  async leave(): Promise<void> {
    await this.browser.close();
  }
}
