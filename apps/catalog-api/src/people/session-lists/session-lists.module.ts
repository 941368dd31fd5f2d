import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OwnSessionsController } from './own-sessions.controller.js';
import { SessionListsService } from './session-lists.service.js';
import { UserSessionsController } from './user-sessions.controller.js';

/** The lists of sessions, and their ends. */
@Module({
  imports: [AuditModule, SessionsModule],
  controllers: [OwnSessionsController, UserSessionsController],
  providers: [SessionListsService],
})
export class SessionListsModule {}
