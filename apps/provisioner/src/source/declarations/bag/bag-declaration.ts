import type { BagRules, Declarations } from '../declarations.js';
import { DescriptorError, quoted } from '../json-document.js';
import { isEncoding } from '../lines.js';
import { WholeDescriptorReader } from '../whole-descriptor.js';
import { bagDeclaration } from './bag-names.js';
import { isFinalVersion } from './bag-rules.js';

const versions = ['0.93', '0.94', '0.95', '0.96', '0.97', '1.0'];

const labels = ['BagIt-Version', 'Tag-File-Character-Encoding'] as const;

/** Reads `bagit.txt`, which is UTF-8 without a byte order mark and has exactly two lines (RFC 8493, section 2.1.1). */
export class BagDeclarationReader extends WholeDescriptorReader {
  private readonly into: Declarations;
  private readonly rules: BagRules = { version: '', encoding: undefined };

  constructor(into: Declarations) {
    super();
    this.into = into;
    into.bag = this.rules;
  }

  protected override read(bytes: Buffer): void {
    if (bytes.subarray(0, 3).equals(Buffer.from('\uFEFF'))) this.refuse('it must not begin with a byte order mark');
    const lines = bytes
      .toString()
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split(/\r\n|\r|\n/);
    const [version, encoding] = labels.map((label, index) => this.valueAfter(label, lines[index]));
    if (version !== undefined) this.addVersion(version.value);
    if (encoding !== undefined) this.addEncoding(encoding.value);
    if (lines.length > labels.length) this.refuse(`it must have ${String(labels.length)} lines`);
    for (const [index, value] of [version, encoding].entries())
      if (value?.isSpaced && isFinalVersion(this.rules))
        this.refuse(`its ${labels[index] ?? ''} must be followed by a colon without a blank`);
  }

  /** Returns the value of a line with a label. */
  private valueAfter(label: string, line = ''): { readonly value: string; readonly isSpaced: boolean } | undefined {
    const colon = line.indexOf(':');
    const written = line.slice(0, Math.max(colon, 0));
    if (written.trimEnd() === label) return { value: line.slice(colon + 1).trim(), isSpaced: written !== label };
    this.refuse(`its line ${String(labels.findIndex((each) => each === label) + 1)} must be "${label}: <value>"`);
    return undefined;
  }

  private addVersion(version: string): void {
    this.rules.version = version;
    if (!versions.includes(version))
      this.refuse(`its BagIt-Version must be one of ${versions.join(', ')} and is ${quoted(version)}`);
  }

  private addEncoding(encoding: string): void {
    const name = encoding.toLowerCase();
    if (isEncoding(name)) this.rules.encoding = name === 'utf-8' ? undefined : name;
    else this.refuse(`its Tag-File-Character-Encoding ${quoted(encoding)} is not supported; use UTF-8`);
  }

  private refuse(reason: string): void {
    this.into.refuse(bagDeclaration, new DescriptorError(reason));
  }
}
