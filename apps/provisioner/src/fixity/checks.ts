import { Injectable } from '@nestjs/common';
import { FixityLog } from './fixity-log.js';
import { ReadPace } from './read-pace.js';

/** What a verification works with beside the storage. */
@Injectable()
export class Checks {
  constructor(
    readonly pace: ReadPace,
    readonly log: FixityLog,
  ) {}
}
