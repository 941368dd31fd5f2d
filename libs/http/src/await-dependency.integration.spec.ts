import { createServer } from 'node:net';
import { pino } from 'pino';
import { freePort } from '../../../scripts/free-port.ts';
import { AbsentDependencyError, awaitDependency, reach } from './await-dependency.js';

describe(awaitDependency.name, () => {
  const logged: string[] = [];
  const logger = pino({}, { write: (line: string) => logged.push(line) });

  it('should log one line during the outage and one after it when a dependency is temporarily unavailable', async () => {
    const port = await freePort();
    const server = createServer((socket) => socket.end());
    const url = `redis://127.0.0.1:${String(port)}`;
    let attempts = 0;
    const attempt = (): Promise<void> => {
      attempts += 1;
      return reach(url);
    };
    const waited = awaitDependency('the queue', attempt, { seconds: 30, logger });
    while (attempts < 4) await new Promise((resolve) => setTimeout(resolve, 10));
    server.listen(port, '127.0.0.1');
    await waited;
    server.close();
    expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      `waiting for the queue: connect ECONNREFUSED 127.0.0.1:${String(port)}`,
      expect.stringMatching(/^waiting for the queue: works again after \d+ failures in \d+ s$/),
    ]);
  });

  it('should throw an error for the operator when the dependency stays unavailable', async () => {
    const url = `postgres://127.0.0.1:${String(await freePort())}/name`;
    const waited = awaitDependency('Postgres', () => reach(url), { seconds: 0, logger });
    await expect(waited).rejects.toThrow(AbsentDependencyError);
    await expect(waited).rejects.toThrow(/^Postgres does not answer: connect ECONNREFUSED/);
  });

  it('should throw the error at once when the error is not temporary', async () => {
    const failure = new Error('the password is wrong');
    const waited = awaitDependency('Postgres', () => Promise.reject(failure), {
      ...{ seconds: 3600, logger },
      isTemporary: () => false,
    });
    await expect(waited).rejects.toBe(failure);
  });
});
