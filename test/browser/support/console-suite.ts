import { chromium, type Browser } from 'playwright-core';
import { ConsoleSystem } from './console-system.ts';
import { Visitor } from './visitor.ts';

/** The path of Debian's browser, unless `CHROMIUM` names another one. */
const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** The system and the browser of a suite. */
export interface ConsoleSuite {
  readonly system: ConsoleSystem;
  /** A new person in every test. */
  readonly visitor: Visitor;
}

/**
 * Starts both services and a browser for a suite. Must be called first in its `describe`. A test fails if the browser
 * reports an error.
 *
 * @param begin starts the system and creates the records that all tests use
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
