import { Body, Controller, HttpCode, Module, Patch, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallableBy, CallableByAnyone } from '@rdc/auth';
import { httpCall, type HttpAnswer } from '../../../test/support/http-call.ts';
import { serve, withKeys } from '../test/serve.js';
import { TakesJson } from './media-type.js';

@Controller('api/things')
@CallableByAnyone()
class ThingsController {
  @Post()
  @HttpCode(200)
  create(@Body() body: unknown): unknown {
    return body;
  }

  @Patch()
  merge(@Body() body: unknown): unknown {
    return body;
  }

  @Post('raw')
  @TakesJson()
  @HttpCode(200)
  raw(@Body() body: Buffer): unknown {
    return { bytes: body.length };
  }

  @Post('text')
  @HttpCode(200)
  text(): unknown {
    return {};
  }

  @Post('guarded')
  @CallableBy('global')
  guarded(@Body() body: unknown): unknown {
    return body;
  }
}

@Module({
  controllers: [ThingsController],
  providers: withKeys,
})
class ThingsModule {}

describe('the type of a body', () => {
  let app: NestFastifyApplication;
  let port: number;
  const call = (method: string, path: string, type: string, body = '{"a":1}'): Promise<HttpAnswer> =>
    httpCall(port, method, path, { type, body });

  beforeAll(async () => {
    ({ app, port } = await serve(ThingsModule));
  });

  afterAll(() => app.close());

  const foreign = [
    'application/json-patch+json',
    'Application/JSON-Patch+JSON; charset=utf-8',
    'application/xml-patch+xml',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/xml; charset=utf-8',
    'application/rdf+xml',
  ];

  it.each([...foreign, 'application/merge-patch+json'])('should be refused with 415 when it is %s', async (type) => {
    const { status, json, headers } = await call('POST', '/api/things', type);
    expect([status, json]).toMatchObject([415, { more: { code: 'input.media_type', allowed: ['application/json'] } }]);
    expect(headers['accept-patch']).toBeUndefined();
  });

  it('should be refused with the accepted types when the method is PATCH', async () => {
    const { status, headers } = await call('PATCH', '/api/things', 'application/json-patch+json', '[]');
    expect([status, headers['accept-patch']]).toEqual([415, 'application/json, application/merge-patch+json']);
    expect((await call('PATCH', '/api/things', 'application/merge-patch+json')).status).toBe(200);
  });

  it.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'application/x-patchwork',
    'nonsense',
    'nonsense; charset=utf-8',
    'text/plain; charset',
    '/',
    '',
  ])('should be ignored when it is %j', async (type) => {
    expect((await call('POST', '/api/things', type)).status).toBe(200);
  });

  it.each([
    ['POST', '/api/things', '', 400],
    ['POST', '/api/things', ' {} ', 200],
    ['POST', '/api/things/text', '<xml/>', 200],
    ['POST', '/api/things/raw', '<xml/>', 415],
    ['POST', '/api/things/guarded', '<xml/>', 403],
    ['DELETE', '/api/things', '<xml/>', 405],
  ])('should be checked when the handler reads JSON: %s %s with %j', async (method, path, body, expected) => {
    expect((await call(method, path, 'application/xml', body)).status).toBe(expected);
  });
});
