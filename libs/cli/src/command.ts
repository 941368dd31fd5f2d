import { parseArgs, type ParseArgsConfig } from 'node:util';

/** One command of a program. It returns when it is done and throws when it cannot be. */
export interface Command<Context> {
  /** The words it is called by and its arguments, e.g. `import full <file>`. */
  readonly usage: string;
  /** What it is for, as a line of the help. */
  readonly summary: string;
  /** @returns the code the process ends with, where that is not 0 */
  run(args: readonly string[], context: Context): Promise<number | undefined>;
}

/** The command line is not one we know; the message says what is wrong. */
export class UsageError extends Error {
  override readonly name = UsageError.name;
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/** The options and the other words of a command. @throws UsageError for an option that is not known, or is there twice */
export function argumentsOf<T extends Options>(args: readonly string[], options: T): Parsed<T> {
  const shape = { args: [...args], options, allowPositionals: true, strict: true } as const;
  try {
    checkOnce(parseArgs({ ...shape, tokens: true }).tokens, options);
    return parseArgs(shape);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The words of a command without options, so many at most. @throws UsageError for an option, or a word too many */
export function wordsOf(args: readonly string[], atMost: number): string[] {
  const { positionals } = argumentsOf(args, {});
  const surplus = positionals[atMost];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is a word too many.`);
  return positionals;
}

/** The later of two values would count, and the former be lost in silence. */
function checkOnce(tokens: readonly { readonly kind: string; readonly name?: string }[], options: Options): void {
  const given = tokens.flatMap(({ kind, name }) => (kind === 'option' && name !== undefined ? [name] : []));
  const twice = given.find((name, at) => given.indexOf(name) < at && options[name]?.type === 'string');
  if (twice !== undefined && options[twice]?.multiple !== true) throw new Error(`--${twice} is there twice.`);
}
