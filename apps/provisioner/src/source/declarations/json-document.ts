import { TokenParser, Tokenizer, TokenType } from '@streamparser/json';

/** The deepest nesting of a descriptor. */
export const maxDepth = 100;

/** The most bytes of one text, number or run of blanks. */
const maxTokenBytes = 1024 * 1024;

/** The most tokens of one member of a list: a root entity of 150,000 parts has some 900,000. */
const maxElementTokens = 2_000_000;

/** Kinds of a JSON value. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** Reasons for which a descriptor cannot be used. The message completes "`<name>` cannot be used: ". */
export class DescriptorError extends Error {
  readonly code: 'descriptor.invalid' | 'descriptor.too_large';

  constructor(message: string, code: 'descriptor.invalid' | 'descriptor.too_large' = 'descriptor.invalid') {
    super(message);
    this.name = 'DescriptorError';
    this.code = code;
  }
}

/** Takes the parts of a JSON object. Each method may throw a DescriptorError, which ends the reading. */
export interface JsonTarget {
  /** Name of the member whose elements are taken one by one. */
  readonly list?: string;
  /** Names of the members whose texts are taken. */
  readonly texts: readonly string[];
  /** Is called for each member of the object, before its value is read. */
  member(name: string, kind: JsonKind): void;
  text(name: string, value: string): void;
  element?(value: unknown, index: number): void;
}

const kinds: Readonly<Partial<Record<TokenType, JsonKind>>> = {
  [TokenType.LEFT_BRACE]: 'object',
  [TokenType.LEFT_BRACKET]: 'array',
  [TokenType.STRING]: 'string',
  [TokenType.NUMBER]: 'number',
  [TokenType.TRUE]: 'boolean',
  [TokenType.FALSE]: 'boolean',
  [TokenType.NULL]: 'null',
};

/**
 * Reads a JSON object piece by piece. Only one element of its list is in memory at a time. `JSON.parse` would have to
 * build everything first, and V8 cannot stop `JSON.parse` if the memory limit of its thread is reached: the whole process ends.
 */
export class JsonDocument {
  private readonly tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 });
  private readonly parser: TokenParser;
  private readonly names = new Set<string>();
  private depth = 0;
  private elementTokens = 0;
  private written = 0;
  /** Offset of the last token. */
  private lastToken = 0;
  /** The last text and the last colon at the top of the object, which announce a member. */
  private top: { text: string; isNamed: boolean } = { text: '', isNamed: false };
  private failure: unknown = null;
  private readonly target: JsonTarget;

  constructor(target: JsonTarget) {
    this.target = target;
    const paths = target.texts.map((name) => `$.${name}`);
    if (target.list !== undefined) paths.push(`$.${target.list}.*`);
    this.parser = new TokenParser({ paths, keepStack: false });
    this.parser.onValue = ({ value, key, stack }) => {
      if (stack.length > 1) this.target.element?.(value, Number(key));
      else if (typeof value === 'string') this.target.text(String(key), value);
    };
    // Without these callbacks, both would throw from the depth of a call that they cannot continue.
    this.parser.onError = (error) => {
      this.fail(error);
    };
    this.tokenizer.onError = (error) => {
      this.fail(error);
    };
    this.tokenizer.onToken = (found) => {
      this.take(found);
    };
  }

  /** @throws DescriptorError if the bytes cannot continue a document that is taken */
  write(bytes: Uint8Array): void {
    this.tokenizer.write(bytes);
    this.written += bytes.length;
    if (this.failure !== null) throw this.reason();
    if (this.written - this.lastToken > maxTokenBytes)
      throw new DescriptorError('it holds a text longer than 1 MiB', 'descriptor.too_large');
  }

  /** @throws DescriptorError if the document is not complete */
  end(): void {
    if (this.parser.isEnded) return;
    throw this.failure === null ? new DescriptorError('it is not complete JSON') : this.reason();
  }

  private take(found: Parameters<TokenParser['write']>[0] & { readonly offset: number }): void {
    if (this.failure !== null) return;
    try {
      this.lastToken = found.offset;
      this.look(found);
      this.parser.write(found);
    } catch (error) {
      this.fail(error);
    }
  }

  private look({ token, value }: Parameters<TokenParser['write']>[0]): void {
    const kind = kinds[token];
    if (this.depth === 0 && kind !== undefined && kind !== 'object')
      throw new DescriptorError('it is not a JSON object');
    if (this.depth === 1) this.lookAtTop(token, value, kind);
    if (this.depth <= 2) this.elementTokens = 0;
    this.elementTokens += 1;
    if (this.elementTokens > maxElementTokens)
      throw new DescriptorError(
        `one of its members has more than ${String(maxElementTokens)} parts`,
        'descriptor.too_large',
      );
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.depth += 1;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.depth -= 1;
    if (this.depth > maxDepth) throw new DescriptorError(`it is nested deeper than ${String(maxDepth)} levels`);
  }

  private lookAtTop(token: TokenType, value: unknown, kind: JsonKind | undefined): void {
    const { top } = this;
    if (token === TokenType.COLON) top.isNamed = true;
    else if (kind === undefined) top.isNamed = false;
    else if (top.isNamed) {
      top.isNamed = false;
      if (this.names.has(top.text)) throw new DescriptorError(`it has its member ${shown(top.text)} twice`);
      if (this.isWanted(top.text)) this.names.add(top.text);
      this.target.member(top.text, kind);
    } else if (typeof value === 'string') top.text = value;
  }

  private isWanted(name: string): boolean {
    return name === this.target.list || this.target.texts.includes(name);
  }

  private fail(error: unknown): void {
    this.failure ??= error;
  }

  private reason(): unknown {
    const { failure } = this;
    if (failure instanceof DescriptorError) return failure;
    return new DescriptorError(`it is not JSON (${shown((failure as Error).message)})`);
  }
}

/** The longest part of a value that messages show, in characters. */
const maxShown = 200;

/** Returns a value for a message: in quotes, shortened, and with its control characters escaped. */
export function shown(value: unknown): string {
  // A long value is cut before it is written out: its size is the deliverer's choice.
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, maxShown)) : kindOf(value);
  return typeof value === 'string' && value.length > maxShown ? `${text.slice(0, -1)}…"` : text;
}

/** Returns the kind of a value for a message. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : 'nothing';
}
