import { ApiProperty } from '@nestjs/swagger';
import type { SpacePlan } from '../model/space-plan.js';

/** The space that an import needs and the space that exists. */
export class SpacePlanResponse implements SpacePlan {
  @ApiProperty({ description: 'Bytes of the whole delivery.' })
  needed_bytes!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Bytes that earlier starts of the import have staged and that the import reuses or frees. Measured only if the whole delivery does not fit; otherwise null.',
  })
  staged_bytes!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Bytes that imports can still use; null if the storage has no known limit.',
  })
  free_bytes!: number | null;

  @ApiProperty({ description: 'Bytes that must be freed before the import can run.' })
  missing_bytes!: number;

  @ApiProperty({ description: 'Number of files and folders of the delivery. Each needs an inode.' })
  needed_files!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Number of staged files and folders; null if `staged_bytes` is null.',
  })
  staged_files!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Number of files that can still be created; null if the storage has no known limit.',
  })
  free_files!: number | null;

  @ApiProperty({ description: 'Number of inodes that must be freed before the import can run.' })
  missing_files!: number;
}
