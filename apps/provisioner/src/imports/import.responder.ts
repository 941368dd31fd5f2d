import { applyDecorators, Injectable, type Type } from '@nestjs/common';
import { ApiAcceptedResponse, ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ImportPlan } from './import-plan.js';
import type { SubmitResult } from './import-requests.js';
import { ImportsService, isEnded } from './imports.service.js';
import type { ImportMode, WaitMode } from './imports.query.js';
import { ImportResponse } from './import.response.js';

const located = { Location: { schema: { type: 'string' }, description: 'The import.' } } as const;

const underWay = { type: ImportResponse, description: 'The import, which is under way.', headers: located };

/** Describes what `ImportAnswer` answers, with this kind of plan. */
export const ApiImportOrPlan = (plan: Type<ImportPlan>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(plan, ImportResponse),
    ApiAcceptedResponse(underWay),
    ApiOkResponse({
      schema: { oneOf: [plan, ImportResponse].map((type) => ({ $ref: getSchemaPath(type) })) },
      description: 'With `dry_run` the plan; else the import, which has ended.',
      headers: located,
    }),
  );

/** Describes what it answers where nothing can be planned. */
export const ApiImport = (): MethodDecorator =>
  applyDecorators(
    ApiAcceptedResponse(underWay),
    ApiOkResponse({ type: ImportResponse, description: 'The import, which has ended.', headers: located }),
  );

/** Answers a POST that asks for an import: 202 while it is under way, 200 when there is nothing left to wait for. */
@Injectable()
export class ImportResponder {
  constructor(private readonly imports: ImportsService) {}

  /** Does what is asked, or only plans it. */
  async sendOrPlan<P extends ImportPlan, T extends SubmitResult>(
    mode: ImportMode,
    reply: FastifyReply,
    plan: () => Promise<P>,
    ask: () => Promise<T>,
  ): Promise<P | ImportResponse> {
    if (mode.dry_run !== 'true') return this.send(mode, reply, ask);
    void reply.code(200);
    return plan();
  }

  /** Does what is asked, and waits for its end for as long as is wanted. */
  async send<T extends SubmitResult>(
    { wait = 0 }: WaitMode,
    reply: FastifyReply,
    ask: () => Promise<T>,
  ): Promise<ImportResponse> {
    const { isUnderWay, import: asked, ...more } = await ask();
    const response = isUnderWay && wait > 0 ? await this.imports.waitForEnd(asked.id, wait) : asked;
    const isOver = !isUnderWay || (wait > 0 && isEnded(response));
    void reply.code(isOver ? 200 : 202).header('Location', response.links.self);
    return Object.assign(response, more);
  }
}
