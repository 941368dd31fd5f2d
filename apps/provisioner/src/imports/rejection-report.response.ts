import { ApiProperty } from '@nestjs/swagger';
import type { FailureCode, ProblemCounts } from '../model/failure-code.js';
import { importKinds, type Delivery, type ImportKind } from '../model/import-record.js';
import type { RejectionReport, ReportedProblem } from '../model/rejection-report.js';
import type { SoftwareAgent } from '../process/software-agent.js';

class DeliveryResponse implements Delivery {
  @ApiProperty({ example: 'SUB-2026-001' })
  submission!: string;

  @ApiProperty({ description: 'Digest of the paths, types, sizes and modification times of the delivery.' })
  fingerprint!: string;

  @ApiProperty()
  files!: number;

  @ApiProperty()
  bytes!: number;
}

class ReportedProblemResponse implements ReportedProblem {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'reads/sample-1.fastq.gz',
    description: 'File or folder of the delivery; null if the problem concerns the whole delivery.',
  })
  path!: string | null;

  @ApiProperty({ type: String, example: 'checksum.mismatch' })
  code!: FailureCode;

  @ApiProperty()
  message!: string;
}

class SoftwareResponse implements SoftwareAgent {
  @ApiProperty({ example: 'provisioner 1.0.0' })
  service!: string;

  @ApiProperty({ example: 'v24.21.0' })
  node!: string;
}

/** The report of a rejected delivery. */
export class RejectionReportResponse implements RejectionReport {
  @ApiProperty({ enum: ['provisioner-rejection/1'], description: 'Version of the form of this report.' })
  schema!: RejectionReport['schema'];

  @ApiProperty()
  import_id!: string;

  @ApiProperty()
  attempt!: number;

  @ApiProperty({ enum: importKinds })
  kind!: ImportKind;

  @ApiProperty({ description: 'Id of the dataset, or reference of the submission whose documents were rejected.' })
  subject!: string;

  @ApiProperty({ type: DeliveryResponse, nullable: true })
  delivery!: DeliveryResponse | null;

  @ApiProperty({ format: 'date-time' })
  requested_at!: string;

  @ApiProperty({ format: 'date-time' })
  rejected_at!: string;

  @ApiProperty({ type: String, example: 'checksum.mismatch' })
  code!: FailureCode;

  @ApiProperty()
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { 'checksum.mismatch': 2, 'file.missing': 1 },
    description: 'Number of problems of each code, including those that `problems` does not list.',
  })
  counts!: ProblemCounts;

  @ApiProperty({ type: [ReportedProblemResponse], description: 'At most 10,000 problems of each code.' })
  problems!: readonly ReportedProblemResponse[];

  @ApiProperty({ type: SoftwareResponse, description: 'The software that rejected the delivery.' })
  agent!: SoftwareResponse;
}
