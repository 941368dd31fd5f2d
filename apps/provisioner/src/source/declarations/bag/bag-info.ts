import { maxTitleLength, type Declarations } from '../declarations.js';
import { DescriptorError, quoted } from '../json-document.js';
import { textOf } from '../lines.js';
import { WholeDescriptorReader } from '../whole-descriptor.js';

/** Adds a bag's `Payload-Oxum` to the declarations, and its description as the title unless it is too long. */
export class BagInfoReader extends WholeDescriptorReader {
  private readonly into: Declarations;

  constructor(into: Declarations) {
    super();
    this.into = into;
  }

  protected override read(content: Buffer): void {
    const { into } = this;
    const info = textOf(content, into.bag?.encoding);
    const [, stated] = /^Payload-Oxum[ \t]*:(.*)$/im.exec(info) ?? [];
    // Trimmed afterwards, because a pattern that skips blanks would take quadratic time.
    const oxum = stated === undefined ? null : /^(\d{1,15})\.(\d{1,15})$/.exec(stated.trim());
    if (oxum) into.oxum = { bytes: Number(oxum[1]), files: Number(oxum[2]) };
    const title = /^External-Description[ \t]*:(.*)$/im.exec(info)?.[1]?.trim();
    if (title !== undefined && title !== '' && title.length <= maxTitleLength) into.bagTitle ??= title;
    if (stated !== undefined && !oxum)
      throw new DescriptorError(`its Payload-Oxum must be "<bytes>.<files>" and is ${quoted(stated.trim())}`);
  }
}
