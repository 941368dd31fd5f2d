import { Controller } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { RecordLifecycle } from '../../publishing/writing/record-lifecycle.js';
import { RecordController } from '../../publishing/writing/record.controller.js';
import { RecordWriting, type WriteTarget } from '../../publishing/writing/record-writing.js';
import { projectKind } from './project.kind.js';
import type { ProjectBody } from './project.schema.js';
import { ProjectsService } from './projects.service.js';

/** Creates, changes and removes projects. */
@Controller('api/projects')
@CallableBy('global', 'session:admin', 'session:data_steward', 'scope:records:write')
export class ProjectsWriteController extends RecordController<ProjectBody> {
  protected readonly target: WriteTarget<ProjectBody>;

  constructor(writing: RecordWriting, lifecycle: RecordLifecycle, projects: ProjectsService) {
    super(writing, lifecycle);
    this.target = { kind: projectKind, requestOf: (caller, id) => projects.requestOf(caller, id) };
  }
}
