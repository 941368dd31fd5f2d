import { Module } from '@nestjs/common';
import { KeysModule } from '../../people/keys/keys.module.js';
import { RateLimitsModule } from '../../people/rate-limits/rate-limits.module.js';
import { SessionsModule } from '../../people/sessions/sessions.module.js';
import { IntrospectionController } from './introspection.controller.js';
import { IntrospectionService } from './introspection.service.js';

/** `/api/introspection`. */
@Module({
  imports: [KeysModule, SessionsModule, RateLimitsModule],
  controllers: [IntrospectionController],
  providers: [IntrospectionService],
})
export class IntrospectionModule {}
