import { Logger } from '@nestjs/common';
import { OutageLog, PeriodicTask } from '@rdc/http';

/** A periodic task that logs its failures under a name. */
export class RepeatingJob extends PeriodicTask {
  /** @param name the name of the task in the log @param restMs the pause between two runs */
  constructor(name: string, restMs: number, work: () => Promise<void>) {
    const outages = new OutageLog('background task', new Logger(name));
    const run = async (): Promise<void> => {
      await work();
      outages.succeeded();
    };
    super(run, restMs, (error) => {
      outages.failed(error);
    });
  }
}
