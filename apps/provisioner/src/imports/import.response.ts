import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  importKinds,
  importPhases,
  importStates,
  type ImportError,
  type ImportProgress,
  type ImportResult,
  type ImportState,
} from '../model/import-record.js';
import type { SubjectKind } from '../model/identifier.js';
import type { ImportPlan } from '../model/import-plan.js';
import type { Integrity, UncomparedList } from '../model/integrity.js';
import { SpacePlanResponse } from './space-plan.response.js';
import { PlanOfImport } from './import-plan.js';

/** A reference to the latest import of a dataset or a submission. */
export class ImportReference {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: ['active', 'finished', 'rejected', 'failed', 'cancelled', 'withdrawn'] })
  state!: string;
}

class ProgressResponse implements ImportProgress {
  @ApiProperty({
    enum: importPhases,
  })
  phase!: ImportProgress['phase'];

  @ApiProperty()
  files_done!: number;

  @ApiProperty({ type: Number, nullable: true })
  files_total!: number | null;

  @ApiProperty()
  bytes_done!: number;

  @ApiProperty({ type: Number, nullable: true })
  bytes_total!: number | null;

  @ApiProperty({ description: 'Bytes that earlier starts of the import copied.' })
  bytes_resumed!: number;

  @ApiProperty({ type: Number, nullable: true })
  bytes_per_second!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  seconds_left!: number | null;

  @ApiProperty({ type: [String] })
  current!: readonly string[];
}

class UncomparedListResponse implements UncomparedList {
  @ApiProperty({ example: 'manifest-blake2b512.txt', description: 'Path of the list.' })
  path!: string;

  @ApiProperty()
  reason!: string;
}

/** The comparison of a delivery with the checksums that it declares. */
export class IntegrityResponse implements Integrity {
  @ApiProperty({ description: 'Number of files. The SHA-256 of every file is recorded.' })
  files!: number;

  @ApiProperty({ description: 'Number of files whose declared checksum was compared and equal.' })
  compared!: number;

  @ApiProperty({ type: [String], example: ['md5'], description: 'Algorithms of the compared checksums.' })
  algorithms!: readonly string[];

  @ApiProperty({
    type: [UncomparedListResponse],
    description: 'The first 20 checksum lists that were not compared, or not completely.',
  })
  not_compared!: readonly UncomparedListResponse[];
}

class ResultResponse implements ImportResult {
  @ApiProperty({ example: 'data/raw/DS-001/' })
  path!: string;

  @ApiProperty()
  files!: number;

  @ApiProperty()
  bytes!: number;

  @ApiProperty({ description: 'SHA-256 of the stored `manifest-sha256.txt`.' })
  manifest_sha256!: string;

  @ApiProperty({
    type: IntegrityResponse,
    nullable: true,
    description: 'The comparison with the declared checksums; null if an earlier release imported the data.',
  })
  integrity!: IntegrityResponse | null;
}

class ErrorResponse implements ImportError {
  @ApiProperty({ type: String, example: 'checksum.mismatch' })
  code!: ImportError['code'];

  @ApiProperty()
  message!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The first file with a problem of this code.' })
  file!: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { 'checksum.mismatch': 2, 'file.missing': 1 },
    description: 'The number of problems of each code, including those that `/imports/{id}/files` does not list.',
  })
  counts?: NonNullable<ImportError['counts']>;
  @ApiPropertyOptional({ description: 'The needed and the free space; only if the import lacks space.' })
  space?: SpacePlanResponse;
}

class LinksResponse {
  @ApiProperty({ example: '/imports/01M7ZW7275ACSPZ1JBFGFVCTZY' })
  self!: string;

  @ApiProperty({ example: '/imports/01M7ZW7275ACSPZ1JBFGFVCTZY/events' })
  events!: string;

  @ApiProperty({ example: '/imports/01M7ZW7275ACSPZ1JBFGFVCTZY/files' })
  files!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '/imports/01M7ZW7275ACSPZ1JBFGFVCTZY/report',
    description: 'The report of a rejected delivery; null if the import was not rejected.',
  })
  report!: string | null;
}

/**
 * An import of a dataset or a submission, its plan, a verification or withdrawal of a dataset, or a purge of a withdrawn
 * one.
 */
export class ImportResponse {
  @ApiProperty({ example: '01M7ZW7275ACSPZ1JBFGFVCTZY' })
  id!: string;

  @ApiProperty({ enum: importKinds })
  kind!: string;

  @ApiPropertyOptional({ enum: ['dataset', 'submission'], description: 'Kind of the planned import; only in plans.' })
  plans?: SubjectKind;

  @ApiProperty({ description: 'Id of the dataset, or reference of the submission.' })
  subject!: string;

  @ApiProperty({ enum: importStates })
  state!: ImportState;

  @ApiProperty()
  attempt!: number;

  @ApiProperty()
  requested_by!: string;

  @ApiProperty({ format: 'date-time' })
  requested_at!: string;

  @ApiPropertyOptional({ description: 'Reason of a withdrawal or a purge; only in these.' })
  reason?: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  started_at!: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  finished_at!: string | null;

  @ApiProperty({ type: ProgressResponse })
  progress!: ProgressResponse;

  @ApiProperty({ type: ResultResponse, nullable: true })
  result!: ResultResponse | null;

  @ApiProperty({ type: ErrorResponse, nullable: true })
  error!: ErrorResponse | null;

  @ApiProperty({ type: PlanOfImport, nullable: true, description: 'The plan; null before the planning.' })
  plan!: ImportPlan | null;

  @ApiProperty({ type: LinksResponse })
  links!: LinksResponse;
}
