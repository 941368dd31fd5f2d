import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { pythonPackage } from '../../../test/support/python-package.ts';
import { startReceiver, type EventReceiver, type ReceivedEvent } from './event-receiver.js';
import { subscribedCatalog, type SubscribedCatalog } from './subscribed-catalog.js';

const recipe = fileURLToPath(new URL('../../../docs/recipes/verify_event.py', import.meta.url));

describe('the recipe that verifies an event', () => {
  let python: string;
  let catalog: SubscribedCatalog;
  let receiver: EventReceiver;

  beforeAll(async () => {
    python = join(await pythonPackage('standardwebhooks', '1.1.0'), 'python');
    catalog = await subscribedCatalog();
    receiver = await startReceiver();
  }, 300_000);

  afterAll(async () => {
    receiver.stop();
    await catalog.stop();
  });

  /** Runs the recipe over an event. @returns its output, and the last line of its errors */
  async function verify({ headers, text: body }: ReceivedEvent, secret: string): Promise<[string, string]> {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const env: NodeJS.ProcessEnv = { ...process.env, SECRET: secret };
    for (const name of names) env[name.toUpperCase().replaceAll('-', '_')] = String(headers[name]);
    const child = spawn(python, [recipe], { env });
    child.stdin.end(body);
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return [out.trim(), errors.trim().split('\n').at(-1) ?? ''];
  }

  it('should accept the events of the catalog with each secret of a rotation, and no changed event', async () => {
    const { id, secret } = await catalog.subscribe(receiver.url);
    const next = await catalog.rotate(id, 600);
    const access = await catalog.grant();
    const [event] = await receiver.arrived('access.granted');
    if (!event) throw new Error('No event arrived.');
    for (const each of [secret, next]) {
      const [line] = await verify(event, each);
      expect(line).toMatch(/^access\.granted \{.*'dataset': 'RDC_1'/);
      expect(line).toContain(`'access_id': ${String(access)},`);
    }
    const changed = { ...event, text: event.text.replace('RDC_1', 'RDC_2') };
    expect(await verify(changed, secret)).toEqual(['', expect.stringMatching(/WebhookVerificationError: No matching/)]);
    expect((await verify(event, otherSecret))[0]).toBe('');
  });
});

/** The secret of another subscription. */
const otherSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
