import { Body, Controller, Delete, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { FastifyRequest } from 'fastify';
import { AddStorage, NamedStorage } from './dataset-storage.dto.js';
import { DatasetStoragesService } from './dataset-storages.service.js';

/** The storages of a dataset. A program that stores data can record them without a permission to read records. */
@Controller('api/datasets/:id/storages')
@CallableBy('global', 'session:admin', 'session:data_steward', 'scope:storages:write')
@ApiTags('storages')
export class DatasetStoragesController {
  constructor(private readonly service: DatasetStoragesService) {}

  @Post()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'addDatasetStorage',
    summary: 'Record a copy of a dataset; has no effect if the copy is recorded. An unknown platform is created',
    description: 'The caller needs no permission to read the dataset.',
  })
  add(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() storage: AddStorage,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.service.add(caller, id, storage, request.servedOrigin);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeDatasetStorage',
    summary: 'Remove a copy from the record of a dataset; has no effect if the copy is not recorded',
    description: 'The files of the copy stay unchanged.',
  })
  remove(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() storage: NamedStorage,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.service.remove(caller, id, storage, request.servedOrigin);
  }
}
