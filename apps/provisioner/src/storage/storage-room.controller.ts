import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { CallableByReaders } from '../http/callers.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { Storage } from '../model/storage.js';

/** The space of the storage in bytes. Each value is null if the storage does not report its space. */
export class StorageRoomResponse {
  @ApiProperty({ type: Number, nullable: true, description: 'Bytes available to imports.' })
  free_bytes!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Bytes that `STORAGE_RESERVE` keeps free in addition.' })
  reserved_bytes!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Total capacity in bytes, including used bytes.',
  })
  capacity_bytes!: number | null;
}

/** Serves the space that is available to imports. */
@ApiTags('storage')
@Controller('imports')
@CallableByReaders()
export class StorageRoomController {
  constructor(
    private readonly storage: Storage,
    private readonly settings: ProvisionerSettings,
  ) {}

  @Get('storage')
  @ApiOperation({
    operationId: 'getStorageRoom',
    summary: 'Return the available space of the storage',
    description: 'Each value is null if the storage does not report its space.',
  })
  @ApiOkResponse({ type: StorageRoomResponse })
  async get(): Promise<StorageRoomResponse> {
    const { STORAGE_RESERVE } = this.settings;
    const space = await this.storage.freeSpace();
    const isKnown = Number.isFinite(space.capacity) && Number.isFinite(space.bytes);
    if (!isKnown) return { free_bytes: null, reserved_bytes: null, capacity_bytes: null };
    return {
      free_bytes: STORAGE_RESERVE.roomIn(space),
      reserved_bytes: STORAGE_RESERVE.bytesOf(space),
      capacity_bytes: space.capacity,
    };
  }
}
