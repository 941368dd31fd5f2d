import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { noteSecret } from '../../support/test-logs.ts';
import { admin, type ConsoleSystem } from './console-system.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Elements that a page shows until an answer arrives. */
const awaited = '[role=status][aria-label="Loading …"]';

/** Animations that end. */
const endOfMovement = `Promise.allSettled(
  document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)
)`;

/** The rules about colours, the only rules whose result depends on the colours of a page. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

const patienceMs = 30_000;

/** A rule of accessibility that a page breaks, with the affected elements. */
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

/**
 * A person who uses the console, with separate cookies. Methods wait for the elements that they look for. Names match
 * exactly: `DS-1` does not match the heading `DS-10`. The elements of a dialog do not belong to the page below it.
 */
export class Visitor {
  /** The errors that the browser reported: errors of scripts and violations of the page's policy. */
  readonly complaints: string[] = [];
  /** Paths of pages that were checked in dark colours, which happens once for each page. */
  private readonly seenInDark = new Set<string>();
  private own: { readonly context: BrowserContext; readonly page: Page } | undefined;

  constructor(private readonly system: Pick<ConsoleSystem, 'origin'>) {}

  get page(): Page {
    return this.there.page;
  }

  get context(): BrowserContext {
    return this.there.context;
  }

  /** The content of the page, without navigation and dialogs. */
  get main(): Locator {
    return this.page.getByRole('main');
  }

  /** Opens a browser context for a new person. */
  async come(browser: Browser): Promise<void> {
    this.complaints.length = 0;
    // Animations are off, because a search could find an element in a dialog that still fades out.
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(patienceMs);
    context.on('page', (page) => {
      this.listenTo(page);
    });
    this.own = { context, page: await context.newPage() };
  }

  async leave(): Promise<void> {
    for (const { value } of (await this.own?.context.cookies()) ?? []) noteSecret(value);
    await this.own?.context.close();
    this.own = undefined;
  }

  /** Opens an address below `/console`. */
  async open(path = '/'): Promise<void> {
    await this.page.goto(`${this.system.origin}/console${path}`);
  }

  /** Opens an address and signs in. */
  async signIn(person = admin, path = '/'): Promise<void> {
    await this.open(path);
    await this.fillIn(person);
    await this.page.getByRole('button', { name: /^Account of/ }).waitFor();
  }

  /** Fills in the form for signing in. */
  async fillIn({ login, password }: typeof admin): Promise<void> {
    await this.page.getByRole('textbox', { name: 'E-mail address' }).fill(login);
    await this.page.getByLabel(/^Password/).fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Signs out by the menu, and waits for the form for signing in. */
  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Account of/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await this.page.getByLabel(/^Password/).waitFor();
  }

  /** Opens a page by the navigation. */
  async goTo(page: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: page, exact: true }).click();
  }

  /** Waits for the heading of a page. */
  async heading(name: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  /** Waits for an element of the page whose whole text is the given one. */
  async reads(text: string): Promise<void> {
    await this.main.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();
  }

  /** Returns the row of a table that contains a text. */
  row(text: string): Locator {
    return this.main.getByRole('row').filter({ hasText: text });
  }

  link(name: string): Locator {
    return this.main.getByRole('link', { name, exact: true });
  }

  /** Returns a button of the page, but not of a dialog. */
  button(name: string): Locator {
    return this.main.getByRole('button', { name, exact: true });
  }

  /** Presses a button of the page. */
  async press(name: string): Promise<void> {
    await this.button(name).click();
  }

  /** Returns the open dialog. */
  dialog(name?: string | RegExp): Locator {
    return this.page.getByRole('dialog', name === undefined ? {} : { name });
  }

  /** Presses a button of the open dialog. */
  async confirm(name: string): Promise<void> {
    await this.dialog().getByRole('button', { name, exact: true }).click();
  }

  /** Waits until no such element is visible. */
  async gone(what: Locator): Promise<void> {
    await what.filter({ visible: true }).first().waitFor({ state: 'detached' });
  }

  /** Waits until a field of a form shows an error. */
  async faultAt(path: string): Promise<void> {
    await this.page.locator(`[data-path="${path}"][aria-invalid=true]`).waitFor();
  }

  /** Waits until the page shows all requested content. */
  async settled(): Promise<void> {
    await this.page.locator('h1').waitFor();
    await this.gone(this.page.locator(awaited));
  }

  /** Waits until the page is no wider than its window. */
  async fits(): Promise<void> {
    await this.settled();
    const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expectSoon(() => this.page.evaluate<number>(width), 0);
  }

  /** Returns the violations that axe finds twice in a row, in light and in dark colours, because a page may be changing. */
  async violations(): Promise<Violation[]> {
    const found = await this.violationsNow();
    if (found.length === 0) return found;
    this.seenInDark.clear();
    return this.violationsNow();
  }

  private async violationsNow(): Promise<Violation[]> {
    await this.settled();
    await this.page.evaluate(axe);
    const shown = (await this.page.evaluate<boolean>('matchMedia("(prefers-color-scheme: dark)").matches'))
      ? 'dark'
      : 'light';
    const found = await this.violationsIn('light', {});
    const { pathname } = new URL(this.page.url());
    if (!this.seenInDark.has(pathname)) {
      this.seenInDark.add(pathname);
      found.push(...(await this.violationsIn('dark', { runOnly: rulesOfColours })));
    }
    await this.page.emulateMedia({ colorScheme: shown });
    return found;
  }

  private async violationsIn(colorScheme: 'light' | 'dark', rules: object): Promise<Violation[]> {
    await this.page.emulateMedia({ colorScheme });
    await this.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    // Animations are finished first, because colours during a transition are not meaningful.
    await this.page.evaluate(endOfMovement);
    const { violations } = await this.page.evaluate<AxeResults>(`axe.run(${JSON.stringify(rules)})`);
    return violations.map(({ id, nodes }) => ({
      rule: `${id}, ${colorScheme}`,
      places: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
    }));
  }

  private get there(): NonNullable<Visitor['own']> {
    if (!this.own) throw new Error('No browser context is open.');
    return this.own;
  }

  private listenTo(page: Page): void {
    page.on('console', (message) => {
      // The page itself shows refused requests, and the first request for the session is refused.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }
}

/** Reads a value repeatedly until it is as expected. @throws Error with the last value if it is not in time */
export async function expectSoon<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const end = Date.now() + patienceMs;
  let last = await read();
  while (!isDeepStrictEqual(last, expected) && Date.now() < end) {
    await pause(50);
    last = await read();
  }
  expect(last).toEqual(expected);
}
