import { TokenParser, Tokenizer, TokenType } from '@streamparser/json';

/** The deepest nesting of a descriptor. */
export const maxDepth = 100;

/** The largest text, number or run of blanks in bytes. */
const maxTokenBytes = 1024 * 1024;

/** The most tokens of one element of the list. A root entity of 150,000 parts has some 900,000. */
const maxElementTokens = 2_000_000;

/** The kind of a JSON value. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** The reason that a descriptor cannot be used. The message completes "`<name>` cannot be used: ". */
export class DescriptorError extends Error {
  readonly code: 'descriptor.invalid' | 'descriptor.too_large';

  constructor(message: string, code: 'descriptor.invalid' | 'descriptor.too_large' = 'descriptor.invalid') {
    super(message);
    this.name = 'DescriptorError';
    this.code = code;
  }
}

/** A receiver of the parts of a JSON object. Each method may throw a DescriptorError, which ends the reading. */
export interface JsonTarget {
  /** The name of the member whose elements are passed to `element` one by one. */
  readonly list?: string;
  /** The names of the members that are passed to `text`. */
  readonly texts: readonly string[];
  /** Called for each member of the object, before its value is read. */
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
 * A reader of a JSON object in pieces, with one element of its list in memory at a time. `JSON.parse` would build the whole
 * object first. If `JSON.parse` reached the memory limit of its thread, V8 would end the whole process.
 */
export class JsonDocument {
  private readonly tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 });
  private readonly parser: TokenParser;
  private readonly names = new Set<string>();
  private depth = 0;
  private elementTokens = 0;
  private written = 0;
  /** The offset of the last token. */
  private lastToken = 0;
  /** The last text at the top of the object, and whether a colon followed: then the text is the name of a member. */
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
    // Without these callbacks, both would throw in the middle of a token.
    this.parser.onError = (error) => {
      this.fail(error);
    };
    this.tokenizer.onError = (error) => {
      this.fail(error);
    };
    this.tokenizer.onToken = (found) => {
      this.accept(found);
    };
  }

  /** @throws DescriptorError if the document is invalid or too large */
  write(bytes: Uint8Array): void {
    this.tokenizer.write(bytes);
    this.written += bytes.length;
    if (this.failure !== null) throw this.reason();
    if (this.written - this.lastToken > maxTokenBytes)
      throw new DescriptorError('it contains a text longer than 1 MiB', 'descriptor.too_large');
  }

  /** @throws DescriptorError if the document is not complete */
  end(): void {
    if (this.parser.isEnded) return;
    throw this.failure === null ? new DescriptorError('its JSON is incomplete') : this.reason();
  }

  private accept(found: Parameters<TokenParser['write']>[0] & { readonly offset: number }): void {
    if (this.failure !== null) return;
    try {
      this.lastToken = found.offset;
      this.check(found);
      this.parser.write(found);
    } catch (error) {
      this.fail(error);
    }
  }

  private check({ token, value }: Parameters<TokenParser['write']>[0]): void {
    const kind = kinds[token];
    if (this.depth === 0 && kind !== undefined && kind !== 'object')
      throw new DescriptorError('it must be a JSON object');
    if (this.depth === 1) this.checkTop(token, value, kind);
    if (this.depth <= 2) this.elementTokens = 0;
    this.elementTokens += 1;
    if (this.elementTokens > maxElementTokens)
      throw new DescriptorError(`an element has more than ${String(maxElementTokens)} parts`, 'descriptor.too_large');
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.depth += 1;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.depth -= 1;
    if (this.depth > maxDepth) throw new DescriptorError(`it has more than ${String(maxDepth)} levels of nesting`);
  }

  private checkTop(token: TokenType, value: unknown, kind: JsonKind | undefined): void {
    const { top } = this;
    if (token === TokenType.COLON) top.isNamed = true;
    else if (kind === undefined) top.isNamed = false;
    else if (top.isNamed) {
      top.isNamed = false;
      if (this.names.has(top.text)) throw new DescriptorError(`its member ${quoted(top.text)} occurs twice`);
      if (this.isUsed(top.text)) this.names.add(top.text);
      this.target.member(top.text, kind);
    } else if (typeof value === 'string') top.text = value;
  }

  private isUsed(name: string): boolean {
    return name === this.target.list || this.target.texts.includes(name);
  }

  private fail(error: unknown): void {
    this.failure ??= error;
  }

  private reason(): unknown {
    const { failure } = this;
    if (failure instanceof DescriptorError) return failure;
    return new DescriptorError(`it is not valid JSON: ${quoted((failure as Error).message)}`);
  }
}

/** The longest part of a value in messages, in characters. */
const maxQuoted = 200;

/** Returns a value for a message: in quotes, shortened, and with control characters escaped. */
export function quoted(value: unknown): string {
  // Cut before it is escaped, because a delivery may contain a value of any size.
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, maxQuoted)) : kindOf(value);
  return typeof value === 'string' && value.length > maxQuoted ? `${text.slice(0, -1)}…"` : text;
}

/** Returns the kind of a value for a message. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : 'nothing';
}
