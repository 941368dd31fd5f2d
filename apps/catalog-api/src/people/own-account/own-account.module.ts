import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OwnAccountController } from './own-account.controller.js';
import { OwnPasswordService } from './own-password.service.js';
import { OwnSecondFactorService } from './own-second-factor.service.js';
import { Reauthentication } from './reauthentication.js';

/** The caller's own password and second factor. */
@Module({
  imports: [AuditModule, SecondFactorModule, SessionsModule],
  controllers: [OwnAccountController],
  providers: [OwnPasswordService, OwnSecondFactorService, Reauthentication],
})
export class OwnAccountModule {}
