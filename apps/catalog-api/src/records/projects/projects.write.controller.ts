import { Controller } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { RecordController } from '../../publishing/writing/record.controller.js';
import { RecordWriting, type WriteTarget } from '../../publishing/writing/record-writing.js';
import { projectKind } from './project.kind.js';
import type { ProjectBody } from './project.schema.js';
import { ProjectsService } from './projects.service.js';

/** The writing of projects (catalog interface, section 6). */
@Controller('api/projects')
@CallableBy('global', 'session:admin', 'session:data_steward', 'scope:records:write')
export class ProjectsWriteController extends RecordController<ProjectBody> {
  protected readonly target: WriteTarget<ProjectBody>;

  constructor(writing: RecordWriting, settings: CatalogSettings, projects: ProjectsService) {
    super(writing, settings);
    this.target = { kind: projectKind, read: (caller, id) => projects.get(caller, id) };
  }
}
