import type { Declarations } from './declarations.js';
import { DescriptorError } from './json-document.js';

/** Invalid elements of a descriptor after which its rest is not read. */
const maxFaults = 100;

/** Adds the invalid elements of a descriptor to the problems. */
export class ElementFaults {
  private count = 0;
  private readonly into: Declarations;
  private readonly descriptor: string;
  private readonly kind: string;

  /** @param kind the kind of the elements, such as `resource` */
  constructor(into: Declarations, descriptor: string, kind: string) {
    this.into = into;
    this.descriptor = descriptor;
    this.kind = kind;
  }

  /** Runs a step for an element. An invalid element is a problem. @throws DescriptorError after too many of them */
  run(index: number, step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof DescriptorError)) throw error;
      this.into.invalid(this.descriptor, `${error.message} (${this.kind} ${String(index + 1)})`);
      this.count += 1;
      if (this.count === maxFaults)
        throw new DescriptorError(`its rest is not read after ${String(maxFaults)} such problems`);
    }
  }
}
