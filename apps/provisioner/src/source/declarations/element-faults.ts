import type { Declarations } from './declarations.js';
import { DescriptorError } from './json-document.js';

/** Elements of a descriptor that are named as wrong. A descriptor with more of them is read no further. */
const maxFaults = 100;

/** Adds the elements of a descriptor that have the wrong shape to the problems. */
export class ElementFaults {
  private count = 0;
  private readonly into: Declarations;
  private readonly descriptor: string;
  private readonly place: string;

  /** @param place names an element by its number, e.g. `resource` */
  constructor(into: Declarations, descriptor: string, place: string) {
    this.into = into;
    this.descriptor = descriptor;
    this.place = place;
  }

  /** Takes the element of an index, or names why it is not taken. @throws DescriptorError if too many are not */
  take(index: number, element: () => void): void {
    try {
      element();
    } catch (error) {
      if (!(error instanceof DescriptorError)) throw error;
      this.into.invalid(this.descriptor, `${error.message} (${this.place} ${String(index + 1)})`);
      this.count += 1;
      if (this.count === maxFaults)
        throw new DescriptorError(`it is read no further after ${String(maxFaults)} such problems`);
    }
  }
}
