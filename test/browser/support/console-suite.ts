import { chromium, type Browser } from 'playwright-core';
import { ConsoleSystem } from './console-system.ts';
import { Visitor } from './visitor.ts';

/** Where Debian has its browser; `CHROMIUM` names another. */
const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** What the tests of a suite have at hand. */
export interface ConsoleSuite {
  readonly system: ConsoleSystem;
  /** Somebody new in every test. */
  readonly visitor: Visitor;
}

/**
 * Gives a suite both services and a browser; called first in its `describe`. A test fails when the browser has
 * complained of anything.
 *
 * @param begin starts the system, and fills it with what all tests need
 */
export function consoleSuite(
  begin: (system: ConsoleSystem) => Promise<void> = (system) => system.start(),
): ConsoleSuite {
  const system = new ConsoleSystem();
  const visitor = new Visitor(system);
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
    await begin(system);
  });

  beforeEach(() => visitor.come(browser));

  afterEach(async () => {
    await visitor.leave();
    expect(visitor.complaints).toEqual([]);
  });

  afterAll(async () => {
    await browser.close();
    await system.stop();
  });

  return { system, visitor };
}
