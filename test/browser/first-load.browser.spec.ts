import { consoleSuite } from './support/console-suite.ts';

/** The most requests and received bytes before a page can be used, with the answers of the services. */
const most = { requests: 10, bytes: 300_000 };

describe('the first load of the console', () => {
  const { visitor } = consoleSuite();

  /** Opens a page without a cache. Returns the requested paths and the number of bytes that the browser received. */
  async function load(path: string): Promise<{ paths: string[]; bytes: number }> {
    const page = await visitor.context.newPage();
    const browser = await visitor.context.newCDPSession(page);
    await browser.send('Network.enable');
    await browser.send('Network.setCacheDisabled', { cacheDisabled: true });
    const paths: string[] = [];
    let bytes = 0;
    browser.on('Network.requestWillBeSent', ({ request }) => {
      paths.push(new URL(request.url).pathname);
    });
    browser.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(new URL(`/console${path}`, visitor.page.url()).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.close();
    return { paths, bytes };
  }

  const expectFew = ({ paths, bytes }: Awaited<ReturnType<typeof load>>): void => {
    expect(paths.slice(most.requests)).toEqual([]);
    expect(bytes).toBeLessThan(most.bytes);
  };

  it('should take few requests and bytes before a person signs in', async () => {
    await visitor.open();
    expectFew(await load('/'));
  });

  it.each(['/', '/datasets', '/datasets/new'])('should take few requests and bytes at %s', async (path) => {
    await visitor.signIn();
    expectFew(await load(path));
  });
});
