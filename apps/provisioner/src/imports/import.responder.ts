import { applyDecorators, Injectable, type Type } from '@nestjs/common';
import { ApiAcceptedResponse, ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ImportPlan } from './import-plan.js';
import type { SubmitResult } from './import-requests.js';
import { ImportsService, isEnded } from './imports.service.js';
import type { ImportMode, WaitMode } from './imports.query.js';
import { ImportResponse } from './import.response.js';

const located = { Location: { schema: { type: 'string' }, description: 'Path of the import.' } } as const;

const underWay = { type: ImportResponse, description: 'The import is under way.', headers: located };

/** Documents the responses of `sendOrPlan` for a type of plan. */
export const ApiImportOrPlan = (plan: Type<ImportPlan>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(plan, ImportResponse),
    ApiAcceptedResponse(underWay),
    ApiOkResponse({
      schema: { oneOf: [plan, ImportResponse].map((type) => ({ $ref: getSchemaPath(type) })) },
      description: 'The plan if `dry_run` is set, and otherwise the import, which has ended.',
      headers: located,
    }),
  );

/** Documents the responses of `send`. */
export const ApiImport = (): MethodDecorator =>
  applyDecorators(
    ApiAcceptedResponse(underWay),
    ApiOkResponse({ type: ImportResponse, description: 'The import has ended.', headers: located }),
  );

/** The responder to a POST that submits an import: 202 if the import is under way, 200 if it has ended. */
@Injectable()
export class ImportResponder {
  constructor(private readonly imports: ImportsService) {}

  /** Submits an import, or plans it if `dry_run` is set. */
  async sendOrPlan<P extends ImportPlan, T extends SubmitResult>(
    mode: ImportMode,
    reply: FastifyReply,
    plan: () => Promise<P>,
    submit: () => Promise<T>,
  ): Promise<P | ImportResponse> {
    if (mode.dry_run !== 'true') return this.send(mode, reply, submit);
    void reply.code(200);
    return plan();
  }

  /** Submits an import, and waits up to the requested time for its end. */
  async send<T extends SubmitResult>(
    { wait = 0 }: WaitMode,
    reply: FastifyReply,
    submit: () => Promise<T>,
  ): Promise<ImportResponse> {
    const { isUnderWay, import: submitted, ...more } = await submit();
    const response = isUnderWay && wait > 0 ? await this.imports.waitForEnd(submitted.id, wait) : submitted;
    const isOver = !isUnderWay || (wait > 0 && isEnded(response));
    void reply.code(isOver ? 200 : 202).header('Location', response.links.self);
    return Object.assign(response, more);
  }
}
