import { isInside, type Declarations } from '../declarations.js';
import type { DescriptorReader } from '../descriptor-reader.js';
import { LineReader } from '../lines.js';
import { pathOf, payloadFolder } from './bag-manifest.js';

/** Reads `fetch.txt` into the declarations. Nothing is fetched: each listed file must be delivered. */
export class FetchListReader implements DescriptorReader {
  private readonly into: Declarations;
  private readonly lines: LineReader;

  constructor(into: Declarations) {
    this.into = into;
    this.lines = new LineReader((line) => this.add(line), into.bag?.encoding);
  }

  write(bytes: Uint8Array): void {
    this.lines.write(bytes);
  }

  end(): void {
    this.lines.end();
  }

  /** Adds a line. @returns the required form of the line if the line is invalid */
  private add(line: string): string | null {
    const [, written = ''] = /^\S+[ \t]+(?:\d+|-)[ \t]+(.+)$/s.exec(line) ?? [];
    const path = pathOf(written, this.into);
    if (!path.startsWith(payloadFolder) || !isInside(path)) return `"<URL> <length> <path below ${payloadFolder}>"`;
    this.into.files.addFetched(path);
    return null;
  }
}
