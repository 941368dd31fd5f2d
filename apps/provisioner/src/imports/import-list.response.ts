import { ApiProperty } from '@nestjs/swagger';
import { ImportResponse } from './import.response.js';

/** A page of imports; the header `Link` says where the next is. */
export class ImportListResponse {
  @ApiProperty({ type: [ImportResponse] })
  items!: readonly ImportResponse[];
}

/** One file of an import. */
export class ImportedFile {
  @ApiProperty()
  path!: string;

  @ApiProperty({ enum: ['finished', 'failed'] })
  state!: 'finished' | 'failed';

  @ApiProperty({ type: Number, nullable: true, description: 'Bytes; only of what is in storage.' })
  size!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Hexadecimal; only of what is in storage.' })
  sha256!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'checksum.mismatch',
    description: 'What is wrong, if anything.',
  })
  code!: string | null;

  @ApiProperty({ type: String, nullable: true })
  message!: string | null;
}

/** A page of the files of an import; the header `Link` says where the next is. */
export class FileListResponse {
  @ApiProperty({ type: [ImportedFile] })
  items!: readonly ImportedFile[];
}
