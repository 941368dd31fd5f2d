import { Command } from '@commander-js/extra-typings';
import { runCommandLine, UsageError } from './run.js';

describe(runCommandLine.name, () => {
  async function run(...words: string[]): Promise<{ code: number; printed: string; remarks: string }> {
    const [printed, remarks]: [string[], string[]] = [[], []];
    const print = (line: string): void => void printed.push(line);
    const greet = new Command('greet')
      .description('greet a person')
      .argument('<name>', 'name of the person')
      .option('--loud', 'add an exclamation mark')
      .option('--in <place>', 'place of the greeting')
      .option('--by <person...>', 'persons who greet')
      .action(async (name, { loud, by = [] }) => {
        await Promise.resolve();
        if (name === 'Ben') throw new UsageError('Ben is absent');
        if (name === 'Cleo') throw new Error('no voice');
        print(`Hello ${name}${loud ? '!' : ''}${by.join('+')}`);
      });
    const code = await runCommandLine(
      new Command('program').addCommand(greet),
      words,
      (error) => ({ message: String(error), code: 7 }),
      { print, remark: (line) => void remarks.push(line) },
    );
    return { code, printed: printed.join('\n'), remarks: remarks.join('\n') };
  }

  it.each([
    [['greet', 'Ann', '--loud'], 'Hello Ann!'],
    [['greet', 'Ann', '--by', 'x', '--by=y'], 'Hello Annx+y'],
    [['greet', '--help'], 'Usage: program greet [options] <name>\n\ngreet a person'],
    [['--help'], 'Usage: program [options] [command]'],
    [[], 'Usage: program [options] [command]'],
  ])('should print the result of %j and return 0', async (words, printed) => {
    const result = await run(...words);
    expect(result).toMatchObject({ code: 0, remarks: '' });
    expect(result.printed).toContain(printed);
  });

  it.each([
    [['greet'], "missing required argument 'name'"],
    [['greet', 'Ann', 'surplus'], 'too many arguments'],
    [['greet', 'Ann', '--in', 'a', '--in=b'], "option '--in <place>' given more than once"],
    [['greet', 'Ann', '--quiet'], "unknown option '--quiet'"],
    [['great'], "unknown command 'great'\n(Did you mean greet?)"],
    [['greet', 'Ben'], 'error: Ben is absent'],
  ])('should print the error of the command line %j and return 2', async (words, remark) => {
    const { code, printed, remarks } = await run(...words);
    expect([code, printed]).toEqual([2, '']);
    expect(remarks).toContain(remark);
    expect(remarks).toContain('Use --help to show the usage.');
  });

  it('should print the message and return the code of a failed command', async () => {
    expect(await run('greet', 'Cleo')).toEqual({ code: 7, printed: '', remarks: 'Error: no voice' });
  });
});
