import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { noteSecret } from '../../support/test-logs.ts';
import { admin, type ConsoleSystem } from './console-system.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What stands in the place of an answer that is still to come. */
const awaited = '[role=status][aria-label="Loading …"]';

/** What moves to an end, and not for ever. */
const endOfMovement = `Promise.allSettled(
  document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)
)`;

/** The rules about colours: the only ones that a page in other colours can break anew. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

const patienceMs = 30_000;

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

/**
 * Somebody who uses the console, with cookies of their own. What they look for is waited for, and named exactly: a
 * heading `DS-1` is not that of `DS-10`, and what stands in a dialog is not on the page beneath.
 */
export class Visitor {
  /** Everything the browser complained of: errors of scripts, and what the page's policy has refused. */
  readonly complaints: string[] = [];
  /** Paths of pages that were looked at in dark: once is enough for each. */
  private readonly seenInDark = new Set<string>();
  private own: { readonly context: BrowserContext; readonly page: Page } | undefined;

  constructor(private readonly system: Pick<ConsoleSystem, 'origin'>) {}

  get page(): Page {
    return this.there.page;
  }

  get context(): BrowserContext {
    return this.there.context;
  }

  /** The page itself, without what stands around it and over it. */
  get main(): Locator {
    return this.page.getByRole('main');
  }

  /** Comes as somebody new. */
  async come(browser: Browser): Promise<void> {
    this.complaints.length = 0;
    // Nothing moves: a dialog that is fading out would still answer to what is looked for in the next.
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

  /** Opens an address and signs in there. */
  async signIn(person = admin, path = '/'): Promise<void> {
    await this.open(path);
    await this.fillIn(person);
    await this.page.getByRole('button', { name: /^Account of/ }).waitFor();
  }

  /** Fills in the form to sign in that is shown. */
  async fillIn({ login, password }: typeof admin): Promise<void> {
    await this.page.getByRole('textbox', { name: 'E-mail address' }).fill(login);
    await this.page.getByLabel(/^Password/).fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Signs out by the menu; waits for the form to sign in. */
  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Account of/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await this.page.getByLabel(/^Password/).waitFor();
  }

  /** Goes to a page by the navigation. */
  async goTo(page: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: page, exact: true }).click();
  }

  /** Waits for the heading of a page. */
  async heading(name: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  /** Waits for a text that stands on the page by itself, once or more often. */
  async reads(text: string): Promise<void> {
    await this.main.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();
  }

  /** A row of a table on the page, by a text in it. */
  row(text: string): Locator {
    return this.main.getByRole('row').filter({ hasText: text });
  }

  link(name: string): Locator {
    return this.main.getByRole('link', { name, exact: true });
  }

  /** A button of the page; those of a dialog are not. */
  button(name: string): Locator {
    return this.main.getByRole('button', { name, exact: true });
  }

  /** Presses a button of the page. */
  async press(name: string): Promise<void> {
    await this.button(name).click();
  }

  /** The dialog over the page. */
  dialog(name?: string | RegExp): Locator {
    return this.page.getByRole('dialog', name === undefined ? {} : { name });
  }

  /** Presses a button of the dialog over the page. */
  async confirm(name: string): Promise<void> {
    await this.dialog().getByRole('button', { name, exact: true }).click();
  }

  /** Waits until nothing of the kind is to be seen. */
  async gone(what: Locator): Promise<void> {
    await what.filter({ visible: true }).first().waitFor({ state: 'detached' });
  }

  /** Waits until a field of a form says that it is wrong. */
  async faultAt(path: string): Promise<void> {
    await this.page.locator(`[data-path="${path}"][aria-invalid=true]`).waitFor();
  }

  /** Waits until the page shows what it has asked for. */
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

  /** What axe finds wrong with the page, in light colours and in dark ones; found twice, for a page may be changing. */
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
    // Colours on their way from one to the other are nobody's: what moves is first brought to its end.
    await this.page.evaluate(endOfMovement);
    const { violations } = await this.page.evaluate<AxeResults>(`axe.run(${JSON.stringify(rules)})`);
    return violations.map(({ id, nodes }) => ({
      rule: `${id}, ${colorScheme}`,
      places: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
    }));
  }

  private get there(): NonNullable<Visitor['own']> {
    if (!this.own) throw new Error('Nobody has come yet.');
    return this.own;
  }

  private listenTo(page: Page): void {
    page.on('console', (message) => {
      // A refused request is shown by the page itself, and asking who is signed in begins with one.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }
}

/** Reads again and again until it is as expected; fails with what was read last. */
export async function expectSoon<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const end = Date.now() + patienceMs;
  let last = await read();
  while (!isDeepStrictEqual(last, expected) && Date.now() < end) {
    await pause(50);
    last = await read();
  }
  expect(last).toEqual(expected);
}
