import { parse } from 'yaml';
import type { DescriptorReader } from './descriptor-reader.js';
import { DescriptorError, quoted } from './json-document.js';
import { WholeDescriptorReader } from './whole-descriptor.js';

/** Passes a YAML descriptor to a reader of JSON. The whole text is in memory, so its size must be small. */
export class YamlReader extends WholeDescriptorReader {
  private readonly json: DescriptorReader;

  constructor(json: DescriptorReader) {
    super();
    this.json = json;
  }

  protected override read(content: Buffer): void {
    this.json.write(Buffer.from(jsonOf(content.toString())));
    this.json.end();
  }
}

/** Returns a YAML document as JSON. @throws DescriptorError if it is not YAML, or is nested too deeply */
function jsonOf(text: string): string {
  try {
    // Aliases can make a short text large, so they are refused.
    const value: unknown = parse(text, { maxAliasCount: 0, schema: 'core' });
    return JSON.stringify(value ?? null);
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new DescriptorError(`it is not valid YAML: ${quoted(reason)}`);
  }
}
