import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallableBy, CallableByAnyone } from '@rdc/auth';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { httpCall, type HttpAnswer } from '../../../test/support/http-call.js';
import { serve, withKeys } from '../test/serve.js';
import { BodyLimit } from './incoming-body.js';

class Inner {
  @IsString()
  text!: string;
}

class Shape {
  @IsString()
  name!: string;

  @IsOptional()
  @ArrayUnique()
  @ArrayMaxSize(10)
  @IsArray()
  list?: unknown[];

  @IsOptional()
  @Type(() => Inner)
  @ValidateNested({ each: true })
  inner?: Inner[];

  @IsOptional()
  free?: unknown;
}

@Controller('bodies')
@CallableByAnyone()
class BodiesController {
  @Post('shape')
  @HttpCode(200)
  shape(@Body() body: Shape): unknown {
    return { is: body.constructor.name };
  }

  @Post('any')
  @HttpCode(200)
  any(@Body() body: unknown): unknown {
    return { is: typeof body };
  }

  @Post('bytes')
  @HttpCode(200)
  bytes(@Body() body: Buffer): unknown {
    return { bytes: body.length };
  }

  @Post('bounded')
  @HttpCode(200)
  @BodyLimit(100)
  bounded(@Body() body: unknown): unknown {
    return { is: typeof body };
  }

  @Post('keyed')
  @HttpCode(200)
  @CallableBy('global')
  keyed(@Body() body: Buffer): unknown {
    return { bytes: body.length };
  }
}

@Module({
  controllers: [BodiesController],
  providers: withKeys,
})
class BodiesModule {}

const megabyte = 1024 * 1024;
const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join();

describe('a body', () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    ({ app, port } = await serve(BodiesModule, { bodyLimit: 16 * megabyte }));
  });

  afterAll(() => app.close());

  const post = (path: string, body: string | Buffer, key?: string): Promise<HttpAnswer> =>
    httpCall(port, 'POST', `/bodies/${path}`, { body, ...(key !== undefined && { key }) });

  /** Returns the maximum processor time in milliseconds between two turns of the event loop during the work. */
  const stopDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const busy = (): number => process.threadCpuUsage().user / 1000;
    let [last, longest] = [busy(), 0];
    const turn = (): void => {
      longest = Math.max(longest, busy() - last);
      last = busy();
    };
    const timer = setInterval(turn, 1);
    await work();
    clearInterval(timer);
    turn();
    return longest;
  };

  describe('of a class', () => {
    it.each([
      ['100,000 unknown members', `{${many(50_000, (at) => `"member${String(at)}":1`)}}`, 'member0'],
      ['objects with unknown members', `{"name":"a","inner":[{"text":"b","colour":1}]}`, 'inner[0].colour'],
      ['a list that is too long', `{"name":"a","list":[${many(50_000, (at) => `"${String(at)}"`)}]}`, 'list'],
      ['a list in a list that is too long', `{"name":"a","list":[[${many(50_000, String)}]]}`, 'list[0]'],
      [
        'a free object with too many members',
        `{"name":"a","free":{${many(50_000, (at) => `"m${String(at)}":1`)}}}`,
        'free',
      ],
    ])('should be refused before conversion when it contains %s', async (_, body, field) => {
      let answer: HttpAnswer | undefined;
      const stop = await stopDuring(async () => {
        answer = await post('shape', body, 'the key');
      });
      expect(answer?.status).toBe(400);
      const { fields } = (answer?.json as { more: { fields: { field: string }[] } }).more;
      expect(fields[0]?.field).toBe(field);
      expect(fields.length).toBeLessThanOrEqual(100);
      expect(stop).toBeLessThan(250);
    });

    it('should be refused with all problems when it has few unknown members', async () => {
      const { json } = await post('shape', '{"name":1,"colour":"red"}');
      expect(json).toMatchObject({ more: { fields: [{ field: 'colour' }, { field: 'name' }] } });
    });

    it('should be converted with its inner objects when it is valid', async () => {
      const { json } = await post('shape', '{"name":"a","inner":[{"text":"b"}],"free":{"any":[1]}}');
      expect(json).toEqual({ is: 'Shape' });
    });

    it('should be 413 when it is larger than 1 MiB', async () => {
      expect((await post('shape', `{"name":"${'x'.repeat(megabyte)}"}`, 'the key')).status).toBe(413);
    });
  });

  describe('of JSON', () => {
    it.each([
      ['nested 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000), 'must be nested at most 100 deep'],
      ['nested deeply and cut off', '{"a":'.repeat(200_000), 'must be nested at most 100 deep'],
      ['5 million lists long', `[${many(5_000_000, () => '[]')}]`, 'must hold at most 100000 values'],
      ['a million equal members long', `{${many(1_000_000, () => '"a":1')}}`, 'must hold at most 100000 values'],
    ])('should be 400 without being parsed when it is %s', async (_, body, problem) => {
      let answer: HttpAnswer | undefined;
      const stop = await stopDuring(async () => {
        answer = await post('any', body, 'the key');
      });
      expect([answer?.status, answer?.json]).toMatchObject([
        400,
        { more: { code: 'input.invalid', fields: [{ problem: `The body ${problem}` }] } },
      ]);
      expect(stop).toBeLessThan(250);
    });

    it('should be read when a text contains brackets and commas', async () => {
      expect((await post('any', JSON.stringify({ a: '[{",\\'.repeat(150_000) }), 'the key')).status).toBe(200);
    });
  });

  describe('of a caller', () => {
    const kilobyte = 1024;

    it('should be at most 16 KiB when the caller has no known key', async () => {
      expect((await post('bytes', Buffer.alloc(16 * kilobyte))).json).toEqual({ bytes: 16 * kilobyte });
      expect((await post('bytes', Buffer.alloc(16 * kilobyte + 1))).status).toBe(413);
      expect((await post('bytes', Buffer.alloc(16 * kilobyte + 1), 'guess')).status).toBe(413);
      expect((await post('bytes', Buffer.alloc(2 * megabyte), 'the key')).json).toEqual({ bytes: 2 * megabyte });
    });

    it('should be refused when it exceeds the limit of its route', async () => {
      expect((await post('bounded', JSON.stringify('x'.repeat(98)), 'the key')).status).toBe(200);
      expect((await post('bounded', JSON.stringify('x'.repeat(99)), 'the key')).status).toBe(413);
    });

    it('should be 413 when it is too large and has no declared length', async () => {
      const socket = await open('bytes', 'Transfer-Encoding: chunked');
      const piece = `1000\r\n${'x'.repeat(4096)}\r\n`;
      socket.write(piece.repeat(5));
      expect(await answerOf(socket)).toContain('413');
      socket.destroy();
    });

    it('should be complete when it arrives in many small pieces', async () => {
      const socket = await open('bytes', 'Transfer-Encoding: chunked', 'X-API-Key: the key', 'Connection: close');
      socket.write(`${'1\r\nx\r\n'.repeat(100_000)}0\r\n\r\n`);
      expect(await answerOf(socket)).toContain('{"bytes":100000}');
    });
  });

  describe('of a caller who is refused', () => {
    it.each([
      ['keyed', 403],
      ['bounded', 413],
    ])('should be answered when it is sent completely to %s and the connection closes', async (path, status) => {
      for (let time = 0; time < 5; time++) expect((await post(path, Buffer.alloc(8 * megabyte))).status).toBe(status);
    });

    it('should not delay the response when the caller is refused', async () => {
      const socket = await open('keyed', 'Content-Length: 1000000');
      expect(await answerOf(socket)).toContain('403');
      socket.destroy();
    });

    it('should keep the connection usable when the rest of the body arrives soon', async () => {
      const socket = await open('keyed', 'Content-Length: 10');
      expect(await answerOf(socket)).toContain('403');
      socket.write(`${'x'.repeat(10)}POST /bodies/bytes HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc`);
      expect(await answerOf(socket)).toContain('{"bytes":3}');
      socket.destroy();
    });

    it('should cut the connection when it does not end', async () => {
      const socket = await open('keyed', 'Transfer-Encoding: chunked');
      socket.on('error', () => undefined);
      const sending = setInterval(() => socket.writable && socket.write('1\r\nx\r\n'), 100);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(sending);
    });
  });

  const open = async (path: string, ...headers: readonly string[]): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write([`POST /bodies/${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n'));
    return socket;
  };
});

async function answerOf(socket: Socket): Promise<string> {
  let received = '';
  while (!received.includes('\r\n\r\n') || !received.trimEnd().endsWith('}')) {
    received += String((await once(socket, 'data'))[0]);
  }
  return received;
}
