import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { RecordRequest } from '../../publishing/documents/document-query.js';
import { fieldsOf } from '../../publishing/documents/field-list.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { openWithSchema } from '../../publishing/schemas/schema-urls.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { NegotiatedReader } from '../linked-data/negotiated-reader.js';
import { ProjectsRepository } from './projects.repository.js';
import type { SearchProjects } from './search-projects.dto.js';

/** The members of a project that `fields` can select, in the order of the record. */
const projectFields = [
  'source',
  'id_at_source',
  'acronym',
  'external_id',
  'name',
  'description',
  'has_institutional_ethics_approval',
  'has_national_ethics_approval',
  'institutional_ethics_approval_notes',
  'national_ethics_approval_notes',
  'start_date',
  'end_date',
  'contacts',
  'publications',
  'metadata',
] as const;

/** Reads projects. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: ProjectsRepository,
    private readonly reader: NegotiatedReader,
    private readonly settings: HttpSettings,
  ) {}

  /**
   * Returns the projects that the caller sees.
   *
   * @throws InvalidInputError if `fields` or `cursor` is invalid
   */
  async search(caller: Principal, query: SearchProjects, conditions: ReadConditions): Promise<StreamedList> {
    const visible = this.visibility.visibleRecords(caller, 'projects');
    const fields = fieldsOf(query.fields, projectFields);
    const request = {
      ...this.repository.query(visible, query),
      ...(fields && { fields }),
      envelope: { open: openWithSchema('projects', this.settings.BASE_PATH), close: ']}' },
      page: pageOf(query),
    };
    return this.reader.list(request, caller, conditions);
  }

  /** @throws UnknownRecordError if the caller sees no such project */
  get(caller: Principal, id: string, conditions: ReadConditions): Promise<StoredDocument> {
    return this.reader.record(this.requestOf(caller, id), caller, conditions);
  }

  /** Returns the request of one project as the caller sees it. Writes check their preconditions with this request. */
  requestOf(caller: Principal, id: string): RecordRequest {
    return { ...this.repository.query(this.visibility.visibleRecords(caller, 'projects')), kind: 'project', id };
  }
}
