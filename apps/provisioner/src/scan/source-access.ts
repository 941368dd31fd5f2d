import { Injectable } from '@nestjs/common';
import { PlaceScanner } from '../source/place-scanner.js';
import { SourceIndex } from '../source/source-index.js';
import { WalkHistory } from './walk-history.js';

/** The services by which an import finds its delivery, walks it and compares it with earlier walks. */
@Injectable()
export class SourceAccess {
  constructor(
    readonly index: SourceIndex,
    readonly scanner: PlaceScanner,
    readonly history: WalkHistory,
  ) {}
}
