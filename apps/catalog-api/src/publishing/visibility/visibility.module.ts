import { Module } from '@nestjs/common';
import { Visibility } from './visibility.js';

/** The rules that determine which records each caller sees. */
@Module({ providers: [Visibility], exports: [Visibility] })
export class VisibilityModule {}
