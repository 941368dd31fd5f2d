import { Body, Controller, Get, HttpStatus, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type IdentifiedRequest, type Principal } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ulid } from 'ulid';
import { CallableByImporters, CallableByReaders } from '../http/callers.js';
import { requesterOf } from '../imports/requester.js';
import { FixityRound } from './fixity-round.js';
import { SubmissionLimits } from '../limits/submission-limits.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { ImportAllPlanner } from './import-all-plan.js';
import { ImportSchedule } from './import-schedule.js';
import { ScheduleQueue } from './schedule-queue.js';
import {
  AskedRunResponse,
  ImportAllPlanResponse,
  PutSchedule,
  RunMode,
  ScheduleResponse,
  toScheduleResponse,
} from './schedule.dto.js';

@ApiTags('schedule')
@Controller('imports')
@CallableByImporters()
export class ScheduleController {
  constructor(
    private readonly schedule: ImportSchedule,
    private readonly queue: ScheduleQueue,
    private readonly planner: ImportAllPlanner,
    private readonly fixity: FixityRound,
    private readonly settings: ProvisionerSettings,
    private readonly limits: SubmissionLimits,
  ) {}

  @Get('schedule')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'getSchedule',
    summary:
      'Get the schedule of imports of the whole diff, the report of the last run, and the progress of verifications',
    description: 'The response has the rule of the schedule and the report of the last run.',
  })
  @ApiOkResponse({ type: ScheduleResponse })
  async get(@Caller() caller: Principal): Promise<ScheduleResponse> {
    this.limits.requireUnlimited(caller);
    const reads = [this.schedule.rule(), this.schedule.lastRun(), this.fixity.state()] as const;
    return toScheduleResponse(...(await Promise.all(reads)));
  }

  @Put('schedule')
  @ApiOperation({
    operationId: 'setSchedule',
    summary: 'Set the schedule of imports of the whole diff; workers apply it within ten seconds',
    description: '`cron` is a rule of five fields, null for no schedule, or `default` for the setting of the service.',
  })
  @ApiOkResponse({ type: ScheduleResponse })
  async put(
    @Caller() caller: Principal,
    @Body() { cron }: PutSchedule,
    @Req() request: FastifyRequest & IdentifiedRequest,
  ): Promise<ScheduleResponse> {
    this.limits.requireUnlimited(caller);
    if (cron === 'default') await this.schedule.reset();
    else await this.schedule.set(cron, requesterOf(request).requested_by);
    return this.get(caller);
  }

  @Post('run')
  @ApiOperation({
    operationId: 'importAll',
    summary: 'Request an import of the whole diff by a worker',
    description:
      'When the worker has queued all imports, `last_run` of `GET /imports/schedule` contains the id of this run.',
  })
  @ApiOkResponse({ type: ImportAllPlanResponse, description: 'The plan, if `dry_run` is set.' })
  @ApiAcceptedResponse({ type: AskedRunResponse, description: 'The import is requested.' })
  async run(
    @Caller() caller: Principal,
    @Query() { dry_run }: RunMode,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportAllPlanResponse | AskedRunResponse> {
    this.limits.requireUnlimited(caller);
    if (dry_run === 'true') {
      void reply.code(HttpStatus.OK);
      return this.planner.plan();
    }
    const run = { id: ulid(), ...requesterOf(request) };
    await this.queue.requestRun(run);
    void reply.code(HttpStatus.ACCEPTED).header('Location', `${this.settings.BASE_PATH ?? ''}/imports/schedule`);
    return { id: run.id, requested_by: run.requested_by };
  }
}
