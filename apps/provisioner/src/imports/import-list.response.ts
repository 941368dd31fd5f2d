import { ApiProperty } from '@nestjs/swagger';
import { ImportResponse } from './import.response.js';

/** A page of imports. The header `Link` has the address of the next page. */
export class ImportListResponse {
  @ApiProperty({ type: [ImportResponse] })
  items!: readonly ImportResponse[];
}

export class ImportedFile {
  @ApiProperty()
  path!: string;

  @ApiProperty({ enum: ['finished', 'failed'] })
  state!: 'finished' | 'failed';

  @ApiProperty({ type: Number, nullable: true, description: 'Size in bytes; null if the file is not in the storage.' })
  size!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'SHA-256, hexadecimal; null if the file is not in the storage.',
  })
  sha256!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'checksum.mismatch',
    description: 'Error code; null if the file is in order.',
  })
  code!: string | null;

  @ApiProperty({ type: String, nullable: true })
  message!: string | null;
}

/** A page of the files of an import. The header `Link` has the address of the next page. */
export class FileListResponse {
  @ApiProperty({ type: [ImportedFile] })
  items!: readonly ImportedFile[];
}
