import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { CallableByReaders } from '../http/callers.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { Storage } from '../model/storage.js';

/** What room the storage has, in bytes; null where it cannot tell. */
export class StorageRoomResponse {
  @ApiProperty({ type: Number, nullable: true, description: 'Bytes that imports may still take.' })
  free_bytes!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Bytes that `STORAGE_RESERVE` keeps free beside them.' })
  reserved_bytes!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Bytes that the storage can hold, the taken ones included.',
  })
  capacity_bytes!: number | null;
}

/** The room that is left for imports. */
@ApiTags('imports')
@Controller('imports')
@CallableByReaders()
export class StorageRoomController {
  constructor(
    private readonly storage: Storage,
    private readonly settings: ProvisionerSettings,
  ) {}

  @Get('storage')
  @ApiOperation({ summary: 'How much room the storage has left' })
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
