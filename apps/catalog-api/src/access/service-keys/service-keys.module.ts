import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { KeysModule } from '../../people/keys/keys.module.js';
import { ProvisionerKey } from './provisioner-key.js';
import { ServiceKeyIssuer } from './service-key-issuer.js';
import { ServiceKeysController } from './service-keys.controller.js';
import { ServiceKeysRepository } from './service-keys.repository.js';
import { ServiceKeysService } from './service-keys.service.js';

/** Service keys: the keys of programs. */
@Module({
  imports: [AuditModule, DocumentsModule, KeysModule],
  controllers: [ServiceKeysController],
  providers: [ServiceKeysService, ServiceKeysRepository, ServiceKeyIssuer, ProvisionerKey],
})
export class ServiceKeysModule {}
