import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { sql } from '../../platform/database/sql.js';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import { CentreSettings } from '../linked-data/centre.settings.js';
import { requiredFacts } from '../linked-data/readiness.js';
import type { DatasetReadinessResponse } from './dataset-readiness.dto.js';
import { DatasetsService } from './datasets.service.js';

/** Determines which facts of a dataset the national catalogue of health datasets requires. */
@Injectable()
export class DatasetReadinessService {
  constructor(
    private readonly datasets: DatasetsService,
    private readonly reader: DocumentReader,
    private readonly centre: CentreSettings,
  ) {}

  /** Returns the required facts of a dataset. @throws UnknownRecordError if the caller sees no such dataset */
  async get(caller: Principal, id: string, origin: string): Promise<DatasetReadinessResponse> {
    const request = this.datasets.requestOf(caller, id);
    const item = sql`'{' || document.linked || '}'`;
    const { body = '{}' } = await this.reader.record({ ...request, item }, { ifNoneMatch: [], origin });
    const dataset = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const facts = requiredFacts(dataset, this.centre);
    return {
      stated: facts.filter(({ isStated }) => isStated).length,
      required: facts.length,
      facts: facts.map(({ name, property, isStated, fields, settings }) => ({
        name,
        property,
        stated: isStated,
        fields,
        settings,
      })),
    };
  }
}
