import { argumentsOf, UsageError, wordsOf, type Command } from './command.js';
import { runCommandLine, type Program } from './run.js';

const greet: Command<{ readonly greeting: string }> = {
  usage: 'greet <name> [--loud] [--in PLACE]',
  summary: 'say hello',
  async run(args, { greeting }) {
    const { values, positionals } = argumentsOf(args, {
      loud: { type: 'boolean', default: false },
      in: { type: 'string' },
    });
    if (positionals.length === 0) throw new UsageError('Whom?');
    await Promise.resolve();
    said.push(`${greeting} ${positionals.join(' ')}${values.loud ? '!' : ''}`);
    return positionals.includes('nobody') ? 7 : undefined;
  },
};

let said: string[] = [];
const program: Program<{ readonly greeting: string }> = {
  name: 'program',
  commands: [greet],
  context: () => ({ greeting: 'Hello' }),
  failure: (error) => ({ message: String(error), code: 1 }),
};

describe(runCommandLine.name, () => {
  it.each([
    [['greet', 'Ann', '--loud'], 0, ['Hello Ann!'], ''],
    [['greet', 'nobody'], 7, ['Hello nobody'], ''],
    [['greet'], 2, [], 'Whom?\nusage: program greet <name> [--loud] [--in PLACE]'],
    [['greet', 'Ann', '--in', 'a', '--in=b'], 2, [], 'option --in given more than once'],
    [['greet', '--quiet'], 2, [], "Unknown option '--quiet'"],
    [['part'], 2, [], 'unknown command "part"'],
    [['greet', '--help'], 0, ['usage: program greet <name> [--loud] [--in PLACE]\n\nsay hello'], ''],
    [[], 0, ['usage: program <command>\n\n  greet <name> [--loud] [--in PLACE]  say hello'], ''],
  ])('should answer %j with the code %d', async (words, code, printed, complaint) => {
    said = [];
    const complaints: string[] = [];
    const print = (line: string): void => void said.push(line);
    const remark = (line: string): void => void complaints.push(line);
    expect(await runCommandLine(words, program, { print, remark })).toBe(code);
    expect(said).toEqual(printed);
    expect(complaints.join('\n')).toContain(complaint);
  });
});

describe(wordsOf.name, () => {
  it('should give the words, and refuse options and words that would be ignored', () => {
    expect(wordsOf(['a', 'b'], 2)).toEqual(['a', 'b']);
    expect(() => wordsOf(['a', 'b'], 1)).toThrow('unexpected argument "b"');
    expect(() => wordsOf(['a', '--dry-run'], 1)).toThrow(UsageError);
  });
});
