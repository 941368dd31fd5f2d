import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { ExecutionContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MethodNotAllowedError } from '@rdc/errors';
import type { FastifyError, FastifyRequest } from 'fastify';
import { CallerGuard } from '../http/caller-guard.js';
import { CallableByPeople } from '../http/callers.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { ImportQueue } from './import-queue.js';

/** Where the board is, on the service's own port and behind every gateway. */
const boardPath = '/admin/queues';

const reads = ['GET', 'HEAD'];

/** The board's page asks another host for its letters; the browser's own do as well. */
const foreignStyle = /<link href="https?:[^>]*>/g;

/** The rule of the board's callers, where the guard reads it. */
@CallableByPeople()
class QueueBoard {
  static readonly look = (): void => undefined;
}

/**
 * Shows the queue to people at `/admin/queues`: to look at, not to change. Its jobs carry ids of imports and nothing
 * else. Nothing of it comes from another host, and nobody sees a file of it whom the guard does not let in.
 */
export async function serveQueueBoard(app: NestFastifyApplication): Promise<void> {
  const { BASE_PATH = '' } = app.get(ProvisionerSettings);
  const guard = app.get(CallerGuard);
  const adapter = new FastifyAdapter();
  adapter.setBasePath(`${BASE_PATH}${boardPath}`);
  createBullBoard({
    queues: [new BullMQAdapter(app.get(ImportQueue).queue, { readOnlyMode: true })],
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Imports' } },
  });
  const instance = app.getHttpAdapter().getInstance();
  await instance.register(async (board) => {
    board.addHook('onRequest', async (request, reply) => {
      try {
        if (!reads.includes(request.method)) throw new MethodNotAllowedError(request.method, reads);
        await guard.canActivate(contextOf(request));
      } catch (error) {
        // The board would answer errors in its own way.
        instance.errorHandler(error as FastifyError, request, reply);
        await reply;
      }
    });
    board.addHook('onSend', (_request, _reply, payload, done) => {
      done(null, typeof payload === 'string' ? payload.replace(foreignStyle, '') : payload);
    });
    await board.register(adapter.registerPlugin(), { prefix: boardPath });
  });
}

/** What the guard reads of a request that no controller answers. */
function contextOf(request: FastifyRequest): ExecutionContext {
  const http = { getRequest: () => request };
  const context = { switchToHttp: () => http, getHandler: () => QueueBoard.look, getClass: () => QueueBoard };
  return context as unknown as ExecutionContext;
}
