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

/** The path of the board. */
const boardPath = '/admin/queues';

const reads = ['GET', 'HEAD'];

/** The link of the board's page to fonts on another host. The page works with the fonts of the browser. */
const foreignStyle = /<link href="https?:[^>]*>/g;

/** Carries the access rule of the board as metadata, from which the guard reads it. */
@CallableByPeople()
class QueueBoard {
  static readonly handler = (): void => undefined;
}

/**
 * Serves a read-only page of the queues at `/admin/queues`. Jobs contain only ids of imports. The page loads nothing
 * from other hosts, and the guard protects each of its files.
 */
export async function serveQueueBoard(app: NestFastifyApplication): Promise<void> {
  const { BASE_PATH = '' } = app.get(ProvisionerSettings);
  const guard = app.get(CallerGuard);
  const { queue, plans, shards } = app.get(ImportQueue);
  const adapter = new FastifyAdapter();
  adapter.setBasePath(`${BASE_PATH}${boardPath}`);
  createBullBoard({
    queues: [queue, plans, shards].map((each) => new BullMQAdapter(each, { readOnlyMode: true })),
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
        // Without this call, the board would send errors in another format.
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

/** Returns the context that the guard needs for a request without a controller. */
function contextOf(request: FastifyRequest): ExecutionContext {
  const http = { getRequest: () => request };
  const context = { switchToHttp: () => http, getHandler: () => QueueBoard.handler, getClass: () => QueueBoard };
  return context as unknown as ExecutionContext;
}
