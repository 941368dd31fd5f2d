/**
 * A counter of the failed flushes of this process. The operating system reports a lost write only to the next flush, so
 * a later success does not prove that earlier writes are durable.
 */
export class FlushFailures {
  count = 0;
}
