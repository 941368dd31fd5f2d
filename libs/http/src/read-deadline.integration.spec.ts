import { Controller, Get, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallableByAnyone } from '@rdc/auth';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '../test/serve.js';
import { boundReads } from './read-deadline.js';

const deadlineMs = 100;
let late: Readable;

@Controller()
@CallableByAnyone()
class SlowController {
  @Get('hangs')
  hangs(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Get('late')
  async late(): Promise<Readable> {
    await pause(3 * deadlineMs);
    return late;
  }

  @Get('begun')
  begun(): Readable {
    const body = new Readable({ read: () => undefined });
    body.push('[');
    setTimeout(() => body.push('1]') && body.push(null), 3 * deadlineMs);
    return body;
  }

  @Post('writes')
  async writes(): Promise<string> {
    await pause(3 * deadlineMs);
    return 'written';
  }
}

@Module({ controllers: [SlowController] })
class SlowModule {}

describe(boundReads.name, () => {
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    ({ app, url } = await serve(SlowModule, { readDeadline: { ms: deadlineMs, dependency: 'database' } }));
  });

  afterAll(() => app.close());

  it('should answer 503 with the reason when a read exceeds the deadline', async () => {
    const answer = await fetch(`${url}/hangs`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await answer.json()).toMatchObject({
      description: 'The database takes too long to answer; try again in 30 seconds.',
      more: { code: 'dependency.down', dependency: 'database', reason: 'overdue' },
    });
    expect((await fetch(`${url}/hangs`, { method: 'HEAD' })).status).toBe(503);
  });

  it('should destroy a body when the body arrives after the deadline', async () => {
    late = new Readable({ read: () => undefined });
    const closed = once(late, 'close');
    expect((await fetch(`${url}/late`)).status).toBe(503);
    await closed;
    expect(late.destroyed).toBe(true);
  });

  it('should not change a response when it has begun or when the request is a write', async () => {
    expect(await (await fetch(`${url}/begun`)).text()).toBe('[1]');
    expect((await fetch(`${url}/writes`, { method: 'POST' })).status).toBe(201);
  });
});
