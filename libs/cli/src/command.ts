import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A command of a program. `run` resolves when the work is done and rejects when the work failed. */
export interface Command<Context> {
  /** The name of the command and its arguments, e.g. `import full <file>`. */
  readonly usage: string;
  /** The purpose of the command: one line of the help. */
  readonly summary: string;
  /** @returns the exit code of the process; undefined for 0 */
  run(args: readonly string[], context: Context): Promise<number | undefined>;
}

/** An error for a command line that is not valid. The message states the reason. */
export class UsageError extends Error {
  override readonly name = UsageError.name;
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/**
 * Returns the options and the positional arguments of a command.
 *
 * @throws UsageError if an option is unknown or given more than once
 */
export function argumentsOf<T extends Options>(args: readonly string[], options: T): Parsed<T> {
  const shape = { args: [...args], options, allowPositionals: true, strict: true } as const;
  try {
    checkOnce(parseArgs({ ...shape, tokens: true }).tokens, options);
    return parseArgs(shape);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/**
 * Returns the positional arguments of a command without options.
 *
 * @throws UsageError if there is an option, or an argument more than `atMost`
 */
export function wordsOf(args: readonly string[], atMost: number): string[] {
  const { positionals } = argumentsOf(args, {});
  const surplus = positionals[atMost];
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}"`);
  return positionals;
}

/** Refuses repeated options, because `parseArgs` keeps only the last value. */
function checkOnce(tokens: readonly { readonly kind: string; readonly name?: string }[], options: Options): void {
  const given = tokens.flatMap(({ kind, name }) => (kind === 'option' && name !== undefined ? [name] : []));
  const twice = given.find((name, at) => given.indexOf(name) < at && options[name]?.type === 'string');
  if (twice !== undefined && options[twice]?.multiple !== true)
    throw new Error(`option --${twice} given more than once`);
}
