import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OwnSessionsController } from './own-sessions.controller.js';
import { SessionListsService } from './session-lists.service.js';
import { UserSessionsController } from './user-sessions.controller.js';

/** Lists sessions and ends them. */
@Module({
  imports: [AuditModule, SessionsModule],
  controllers: [OwnSessionsController, UserSessionsController],
  providers: [SessionListsService],
})
export class SessionListsModule {}
