import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { PageParameters } from '../../platform/lists/page.dto.js';
import {
  CreatedEventSubscription,
  CreateEventSubscription,
  EventDeliveryPage,
  EventDeliveryResponse,
  EventSubscriptionPage,
  EventSubscriptionResponse,
  RotatedEventSecret,
  RotateEventSecret,
  SearchEventDeliveries,
  UpdateEventSubscription,
} from './event-subscription.dto.js';
import { EventSubscriptionsService } from './event-subscriptions.service.js';

/** The administration of event subscriptions. */
@Controller('api/admin/event-subscriptions')
@ForAdministrators()
@ApiTags('event-subscriptions')
export class EventSubscriptionsController {
  constructor(private readonly service: EventSubscriptionsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listEventSubscriptions',
    summary: 'List event subscriptions by name',
    description: 'The response is one page. `next_cursor` is the `cursor` of the next page, and null on the last page.',
  })
  @ApiOkResponse({ type: EventSubscriptionPage })
  search(@Caller() caller: Principal, @Query() query: PageParameters): Promise<EventSubscriptionPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getEventSubscription',
    summary: 'Show an event subscription',
    description: 'The response contains the state of the receiver, without the secret.',
  })
  @ApiOkResponse({ type: EventSubscriptionResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<EventSubscriptionResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({
    operationId: 'createEventSubscription',
    summary: 'Subscribe a receiver to events and show its secret once',
    description: 'The receiver gets the events of changes after this moment. No later response contains the secret.',
  })
  @ApiCreatedResponse({ type: CreatedEventSubscription })
  @ApiBadRequestResponse({ description: 'For example, the name is in use, or the URL is not allowed.' })
  create(@Caller() caller: Principal, @Body() body: CreateEventSubscription): Promise<CreatedEventSubscription> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateEventSubscription',
    summary: 'Change, pause or resume an event subscription; absent members stay unchanged',
    description: 'During a pause, events wait for at most `EVENT_RETRY_DAYS`.',
  })
  @ApiOkResponse({ type: EventSubscriptionResponse })
  @ApiBadRequestResponse({ description: 'For example, the name is in use, or the URL is not allowed.' })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateEventSubscription,
  ): Promise<EventSubscriptionResponse> {
    return this.service.update(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeEventSubscription',
    summary: 'Remove an event subscription with the events that wait for it',
    description: 'An attempt that has begun may still reach the receiver.',
  })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }

  @Post(':id/rotate')
  @ApiOperation({
    operationId: 'rotateEventSecret',
    summary: 'Issue a new secret and show it once; the previous secret signs too during the overlap',
    description:
      'During the overlap, `webhook-signature` contains two signatures. No later response contains the secret.',
  })
  @ApiCreatedResponse({ type: RotatedEventSecret })
  @ApiNotFoundResponse({ description: 'The event subscription does not exist.' })
  rotate(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: RotateEventSecret,
  ): Promise<RotatedEventSecret> {
    return this.service.rotate(caller, id, body);
  }

  @Post(':id/test')
  @ApiOperation({
    operationId: 'sendTestEvent',
    summary: 'Send a test event to the receiver',
    description: 'The type of the event is `test`. The response is its delivery, whose state shows the result soon.',
  })
  @ApiCreatedResponse({ type: EventDeliveryResponse })
  @ApiNotFoundResponse({ description: 'The event subscription does not exist.' })
  sendTest(@Caller() caller: Principal, @Param('id') id: string): Promise<EventDeliveryResponse> {
    return this.service.sendTest(caller, id);
  }

  @Get(':id/deliveries')
  @ApiOperation({
    operationId: 'listEventDeliveries',
    summary: 'List the deliveries to a receiver, newest first; filter by state',
    description: 'The response is one page. `next_cursor` is the `cursor` of the next page, and null on the last page.',
  })
  @ApiOkResponse({ type: EventDeliveryPage })
  searchDeliveries(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: SearchEventDeliveries,
  ): Promise<EventDeliveryPage> {
    return this.service.searchDeliveries(caller, id, query);
  }

  @Post(':id/deliveries/:event_id/send')
  @ApiOperation({
    operationId: 'sendEventAgain',
    summary: 'Send an event again, also an event that was delivered',
    description: 'The `webhook-id` stays the same, and the count of attempts starts again.',
  })
  @ApiCreatedResponse({ type: EventDeliveryResponse })
  @ApiNotFoundResponse({ description: 'The event subscription or the event does not exist.' })
  sendAgain(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('event_id') eventId: string,
  ): Promise<EventDeliveryResponse> {
    return this.service.sendAgain(caller, id, eventId);
  }
}
