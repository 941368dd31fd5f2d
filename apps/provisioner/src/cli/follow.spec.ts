import { noProgress } from '../model/import-record.js';
import type { ImportResponse } from '../imports/import.response.js';
import type { ImportsService } from '../imports/imports.service.js';
import type { CommandContext } from './command.js';
import { exitCodes } from './exit-codes.js';
import { follow } from './follow.js';

describe(follow.name, () => {
  it('should end at Ctrl-C and not look at all of many imports first, and say how they are found again', async () => {
    const [asked, remarks]: [string[], string[]] = [[], []];
    const get = (id: string): Promise<Partial<ImportResponse>> => {
      asked.push(id);
      process.emit('SIGINT');
      return Promise.resolve({ id, state: 'running', progress: noProgress });
    };
    const context: Partial<CommandContext> = { remark: (line) => void remarks.push(line) };
    const following = { json: false, label: 'importing', context: context as CommandContext };
    expect(await follow(['1', '2', '3'], { ...following, imports: { get } as unknown as ImportsService })).toBe(
      exitCodes.interrupted,
    );
    expect(asked).toEqual(['1']);
    expect(remarks).toEqual(['Going on without you: provisioner status 1 2 3']);
  });
});
