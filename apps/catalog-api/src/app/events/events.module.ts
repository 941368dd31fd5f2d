import { Module } from '@nestjs/common';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { AttemptsRepository } from './attempts.repository.js';
import { EventDeliveriesRepository } from './event-deliveries.repository.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventMetrics } from './event.metrics.js';
import { EventSender } from './event-sender.js';
import { EventSubscriptionsController } from './event-subscriptions.controller.js';
import { EventSubscriptionsRepository } from './event-subscriptions.repository.js';
import { EventSubscriptionsService } from './event-subscriptions.service.js';
import { EventTurn } from './event-turn.js';
import { ImportEventsController } from './import-events.controller.js';
import { ImportEventsService } from './import-events.service.js';
import { OutboxRepository } from './outbox.repository.js';
import { OutboxSweep } from './outbox.sweep.js';
import { ReceiverUrls } from './receiver-urls.js';
import { SubscriptionSecrets } from './subscription-secrets.js';

/** Signed events about changes, and the administration of their subscriptions. */
@Module({
  imports: [AuditModule, DocumentsModule, SecretsModule],
  controllers: [EventSubscriptionsController, ImportEventsController],
  providers: [
    EventSubscriptionsService,
    EventSubscriptionsRepository,
    EventDeliveriesRepository,
    ImportEventsService,
    SubscriptionSecrets,
    ReceiverUrls,
    AttemptsRepository,
    EventSender,
    EventTurn,
    EventDispatcher,
    EventMetrics,
    OutboxRepository,
    OutboxSweep,
  ],
})
export class EventsModule {}
