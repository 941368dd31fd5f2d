import { parse } from 'yaml';
import type { DescriptorReader } from './descriptor-reader.js';
import { DescriptorError, quoted } from './json-document.js';

/** Passes a YAML descriptor to a reader of JSON. The whole text is in memory, so its size must be small. */
export class YamlReader implements DescriptorReader {
  private readonly pieces: Uint8Array[] = [];

  private readonly json: DescriptorReader;

  constructor(json: DescriptorReader) {
    this.json = json;
  }

  write(bytes: Uint8Array): void {
    this.pieces.push(bytes);
  }

  end(): void {
    this.json.write(Buffer.from(this.parsed()));
    this.json.end();
  }

  /** Returns the document as JSON. @throws DescriptorError if it is not YAML, or is nested too deeply */
  private parsed(): string {
    try {
      // Aliases can make a short text large, so they are refused.
      const value: unknown = parse(Buffer.concat(this.pieces).toString(), { maxAliasCount: 0, schema: 'core' });
      return JSON.stringify(value ?? null);
    } catch (error) {
      const [reason] = (error as Error).message.split('\n');
      throw new DescriptorError(`it is not valid YAML: ${quoted(reason)}`);
    }
  }
}
