import { argumentsOf, UsageError } from '@rdc/cli';
import { DatasetsService } from '../datasets/datasets.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { sizeText, visible } from './text.js';

const options = { submission: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

/** `plan`: what an import would do, and everything that stands in its way. */
export const planCommand: Command = {
  usage: 'plan <dataset_id> | --submission REFERENCE [--json]',
  summary: 'what an import would do, and all that stands in its way; does nothing',
  async run(args, { open, print }) {
    const { values, positionals } = argumentsOf(args, options);
    const [id, ...more] = positionals;
    const { submission } = values;
    if (more.length > 0 || (id === undefined) === (submission === undefined)) {
      throw new UsageError('Name one dataset, or one submission.');
    }
    const services = await open();
    const plan =
      submission === undefined
        ? await services.get(DatasetsService).plan({ dataset_id: id ?? '' })
        : await services.get(SubmissionsService).plan({ reference: submission });
    const { subject, state, ready, files, bytes, free_bytes, fits, problem_count, problems } = plan;
    if (values.json) print(JSON.stringify(plan));
    else {
      const free = free_bytes === null ? 'room unknown' : `${sizeText(free_bytes)} free`;
      print(
        `${subject}: ${state}, ${ready ? 'ready' : 'not ready'}; ${String(files)} files, ${sizeText(bytes)}; ${free}`,
      );
      if (!fits) print('It does not fit.');
      for (const { code, path, message } of problems) print(visible(`${code}  ${path ?? subject}  ${message}`));
      if (problem_count > problems.length) print(`${String(problem_count - problems.length)} more are not named.`);
    }
    const isPossible = ready && fits && problems.length === 0 && state !== 'differs';
    return isPossible ? exitCodes.done : exitCodes.refused;
  },
};
