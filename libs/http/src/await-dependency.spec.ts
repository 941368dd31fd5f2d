import { createServer } from 'node:net';
import { pino } from 'pino';
import { freePort } from '../../../scripts/free-port.ts';
import { AbsentDependencyError, awaitDependency, reach } from './await-dependency.js';

describe(awaitDependency.name, () => {
  const logged: string[] = [];
  const logger = pino({}, { write: (line: string) => logged.push(line) });

  it('should wait for what comes later, and say what it waits for', async () => {
    const port = await freePort();
    const server = createServer((socket) => socket.end());
    const url = `redis://127.0.0.1:${String(port)}`;
    const waited = awaitDependency('the queue', () => reach(url), { seconds: 30, logger });
    while (logged.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    server.listen(port, '127.0.0.1');
    await waited;
    server.close();
    expect(logged[0]).toContain(`waiting for the queue: connect ECONNREFUSED 127.0.0.1:${String(port)}`);
  });

  it('should give up in the end, with a sentence', async () => {
    const url = `postgres://127.0.0.1:${String(await freePort())}/name`;
    const waited = awaitDependency('Postgres', () => reach(url), { seconds: 0, logger });
    await expect(waited).rejects.toThrow(AbsentDependencyError);
    await expect(waited).rejects.toThrow(/^Postgres does not answer: connect ECONNREFUSED/);
  });

  it('should not wait for what no time will mend', async () => {
    const failure = new Error('the password is wrong');
    const waited = awaitDependency('Postgres', () => Promise.reject(failure), {
      ...{ seconds: 3600, logger },
      isTemporary: () => false,
    });
    await expect(waited).rejects.toBe(failure);
  });
});
