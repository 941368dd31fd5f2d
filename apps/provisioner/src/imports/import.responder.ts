import { applyDecorators, Injectable, type Type } from '@nestjs/common';
import { ApiAcceptedResponse, ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ImportPlan } from './import-plan.js';
import type { SubmitResult } from './import-requests.js';
import { ImportsService, isEnded } from './imports.service.js';
import type { ImportMode, WaitMode } from './imports.query.js';
import { ImportResponse } from './import.response.js';

const located = { Location: { schema: { type: 'string' }, description: 'Path of the import.' } } as const;

const underWay = {
  type: ImportResponse,
  description: 'The import is under way. If `dry_run` is set: its plan is under way.',
  headers: located,
};

/** Documents the responses of `sendOrPlan` for a type of plan and of import. */
export const ApiImportOrPlan = (
  plan: Type<ImportPlan>,
  submitted: Type<ImportResponse> = ImportResponse,
): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(plan, submitted),
    ApiAcceptedResponse({ ...underWay, type: submitted }),
    ApiOkResponse({
      schema: { oneOf: [plan, submitted].map((type) => ({ $ref: getSchemaPath(type) })) },
      description:
        'The import, which has ended. If `dry_run` is set: the plan, or the import if it ended without a plan.',
      headers: located,
    }),
  );

/** Documents the responses of `send`. */
export const ApiImport = (): MethodDecorator =>
  applyDecorators(
    ApiAcceptedResponse(underWay),
    ApiOkResponse({ type: ImportResponse, description: 'The import has ended.', headers: located }),
  );

/** Seconds for which a dry run waits for its plan unless the request states another number. */
const planWait = 5;

/** The responder to a POST that submits an import: 202 if the import is under way, 200 if it has ended. */
@Injectable()
export class ImportResponder {
  constructor(private readonly imports: ImportsService) {}

  /** Submits an import, or its plan if `dry_run` is set. */
  async sendOrPlan<T extends SubmitResult>(
    mode: ImportMode,
    reply: FastifyReply,
    plan: () => Promise<SubmitResult>,
    submit: () => Promise<T>,
  ): Promise<ImportPlan | ImportResponse> {
    return mode.dry_run === 'true' ? this.sendPlan(mode, reply, plan) : this.send(mode, reply, submit);
  }

  /** Submits a plan, and sends it if it is complete within the requested time. */
  private async sendPlan(
    { wait = planWait }: WaitMode,
    reply: FastifyReply,
    submit: () => Promise<SubmitResult>,
  ): Promise<ImportPlan | ImportResponse> {
    const { isCurrent, response } = await this.imports.plan(submit, wait);
    const isComplete = isCurrent && isEnded(response);
    void reply.code(isComplete ? 200 : 202).header('Location', response.links.self);
    return isComplete ? toDryRun(response) : response;
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

/** Returns a complete plan as the answer to a dry run, and any other import unchanged. */
export function toDryRun(response: ImportResponse): ImportPlan | ImportResponse {
  const { state, subject, plan } = response;
  return state === 'finished' && plan ? { dry_run: true, subject, ...plan } : response;
}
