import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallableBy, CallableByAnyone } from '@rdc/auth';
import { IsOptional, IsString } from 'class-validator';
import { httpCall, type HttpAnswer, type HttpCall } from '../../../test/support/http-call.ts';
import { serve, withKeys } from '../test/serve.js';
import { AnyQuery } from './known-parameters.js';

class Page {
  @IsOptional()
  @IsString()
  limit?: string;
}

class SearchThings extends Page {
  @IsOptional()
  @IsString()
  updated_since?: string;
}

abstract class ReadingController {
  @Get('inherited')
  inherited(@Query() query: SearchThings): unknown {
    return query;
  }
}

@Controller('api/things')
@CallableByAnyone()
class ThingsController extends ReadingController {
  @Get()
  search(@Query() query: SearchThings): unknown {
    return query;
  }

  @Get('named')
  named(@Query('name') name: string): unknown {
    return { name };
  }

  @Get('plain')
  plain(): unknown {
    return {};
  }

  @Post()
  create(@Body() body: unknown): unknown {
    return body;
  }

  @Get('anything')
  @AnyQuery()
  anything(): unknown {
    return {};
  }

  @Get('guarded')
  @CallableBy('global')
  guarded(): unknown {
    return {};
  }
}

@Module({
  controllers: [ThingsController],
  providers: withKeys,
})
class ThingsModule {}

interface Refusal {
  readonly description: string;
  readonly more: { readonly fields: readonly { field: string; nearest?: string }[]; readonly allowed?: string[] };
}

describe('a query', () => {
  let app: NestFastifyApplication;
  let port: number;
  const call = (method: string, path: string, sent: HttpCall = {}): Promise<HttpAnswer> =>
    httpCall(port, method, path, sent);

  beforeAll(async () => {
    ({ app, port } = await serve(ThingsModule));
  });

  afterAll(() => app.close());

  it.each([
    ['/api/things?update_since=2026', 'update_since is not a parameter here; did you mean updated_since?'],
    ['/api/things?Limit=1', 'Limit is not a parameter here; did you mean limit?'],
    ['/api/things?api_key=1', 'api_key is not a parameter here; did you mean API_KEY?'],
    ['/api/things?acronym=1', 'acronym is not a parameter here; the parameters are limit and updated_since'],
    ['/api/things/inherited?limits=1', 'limits is not a parameter here; did you mean limit?'],
    ['/api/things/named?nane=1', 'nane is not a parameter here; did you mean name?'],
    ['/api/things/plain?limit=1', 'limit is not a parameter here; this address takes none'],
    ['/api/things?__proto__=1&limit=2', undefined],
    ['/api/things?constructor=1', 'constructor is not a parameter here; the parameters are limit and updated_since'],
  ])('should be refused with a reason when it is %s', async (path, sentence) => {
    const { status, json } = await call('GET', path);
    if (sentence === undefined) expect(status).toBe(200);
    else expect([status, (json as Refusal).description]).toEqual([400, sentence]);
  });

  it('should be refused with the nearest and all known parameters when a parameter is unknown', async () => {
    const { more } = (await call('GET', '/api/things?update_since=1&other=1')).json as Refusal;
    expect(more).toMatchObject({
      code: 'input.invalid',
      fields: [{ field: 'update_since', nearest: 'updated_since' }, { field: 'other' }],
      allowed: ['limit', 'updated_since'],
    });
  });

  it.each([
    ['POST', '/api/things?dry_run=true', 400],
    ['HEAD', '/api/things?update_since=1', 400],
    ['GET', '/api/things/guarded?other=1', 403],
    ['GET', '/api/nothing?other=1', 404],
    ['DELETE', '/api/things?other=1', 405],
    ['GET', '/api/things/anything?state=1&code=2', 200],
    ['GET', '/api/things?_=1&_=2&_cache=3', 200],
    ['GET', '/api/things/plain?API_KEY=', 200],
    ['GET', '/api/things?limit=1&limit=2', 400],
  ])('given %s %s, should be answered with %i', async (method, path, expected) => {
    expect((await call(method, path, { ...(method === 'POST' && { body: '{}' }) })).status).toBe(expected);
  });

  it('should be refused at once when it has thousands of unknown parameters', async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `x${String(index)}`);
    const begun = process.cpuUsage();
    const { status, body, json } = await call('GET', `/api/things?${names.join('&')}`);
    const { user } = process.cpuUsage(begun);
    expect([status, body.length < 5_000]).toEqual([400, true]);
    expect((json as Refusal).description).toContain('and 1990 more');
    expect(user / 1000).toBeLessThan(250);
  });

  it('should be refused with a shortened name when a name is very long', async () => {
    const { status, body } = await call('GET', `/api/things?${'x'.repeat(12_000)}=1`);
    expect([status, body.length < 1_000]).toEqual([400, true]);
  });
});
