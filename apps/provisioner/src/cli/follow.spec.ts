import { noProgress } from '../model/import-record.js';
import type { ImportResponse } from '../imports/import.response.js';
import type { ImportsService } from '../imports/imports.service.js';
import type { CommandContext } from './command.js';
import { exitCodes } from './exit-codes.js';
import { follow } from './follow.js';

describe(follow.name, () => {
  it('should stop at Ctrl-C before it reads the remaining imports, and print the command that follows them', async () => {
    const [requested, remarks]: [string[], string[]] = [[], []];
    const get = (id: string): Promise<Partial<ImportResponse>> => {
      requested.push(id);
      process.emit('SIGINT');
      return Promise.resolve({ id, state: 'running', progress: noProgress });
    };
    const context: Partial<CommandContext> = { remark: (line) => void remarks.push(line) };
    const options = { json: false, label: 'importing', context: context as CommandContext };
    expect(await follow(['1', '2', '3'], { ...options, imports: { get } as unknown as ImportsService })).toBe(
      exitCodes.interrupted,
    );
    expect(requested).toEqual(['1']);
    expect(remarks).toEqual(['Detached. The imports continue; follow them with: provisioner status 1 2 3 --wait']);
  });
});
