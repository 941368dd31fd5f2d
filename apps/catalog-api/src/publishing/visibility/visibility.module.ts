import { Module } from '@nestjs/common';
import { Visibility } from './visibility.js';

/** Says who sees what. */
@Module({ providers: [Visibility], exports: [Visibility] })
export class VisibilityModule {}
