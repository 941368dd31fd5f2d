import { Module } from '@nestjs/common';
import { SourceModule } from '../source/source.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { SubmissionLimits } from './submission-limits.js';

/** The limits of service keys to submissions. */
@Module({ imports: [SourceModule, StorageModule], providers: [SubmissionLimits], exports: [SubmissionLimits] })
export class LimitsModule {}
