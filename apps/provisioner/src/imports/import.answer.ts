import { applyDecorators, Injectable } from '@nestjs/common';
import { ApiAcceptedResponse, ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ImportPlan } from './import-plan.js';
import type { Asked } from './import-requests.js';
import { ImportsService, isEnded } from './imports.service.js';
import type { ImportMode } from './imports.query.js';
import { ImportResponse } from './import.response.js';

const planOrImport = { oneOf: [ImportPlan, ImportResponse].map((type) => ({ $ref: getSchemaPath(type) })) };

/** Describes what `ImportAnswer` answers. */
export const ApiImportAnswer = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ImportPlan, ImportResponse),
    ApiAcceptedResponse({ type: ImportResponse, description: 'The import, which is under way.' }),
    ApiOkResponse({ schema: planOrImport, description: 'With `dry_run` the plan; else the import, which has ended.' }),
  );

/** Answers a POST that asks for an import: 202 while it is under way, 200 when there is nothing left to wait for. */
@Injectable()
export class ImportAnswer {
  constructor(private readonly imports: ImportsService) {}

  /** Does what is asked, or only plans it. */
  async of<T extends Asked>(
    { dry_run, wait = 0 }: ImportMode,
    reply: FastifyReply,
    plan: () => Promise<ImportPlan>,
    ask: () => Promise<T>,
  ): Promise<ImportPlan | ImportResponse> {
    if (dry_run === 'true') {
      void reply.code(200);
      return plan();
    }
    const { isUnderWay, import: asked, ...more } = await ask();
    const response = isUnderWay && wait > 0 ? await this.imports.await(asked.id, wait) : asked;
    const isOver = !isUnderWay || (wait > 0 && isEnded(response));
    void reply.code(isOver ? 200 : 202).header('Location', response.links.self);
    return Object.assign(response, more);
  }
}
