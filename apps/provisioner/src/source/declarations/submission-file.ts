import type { SubmissionDescription } from '../../model/source-system.js';
import { tooLong, type Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { DescriptorError, JsonDocument } from './json-document.js';

/** The optional file that describes a submission. */
export const submissionFile = 'submission.json';

/** The longest texts of the members in characters. Lists hold the texts of every submission in memory. */
const maxLengths: Readonly<Record<keyof SubmissionDescription, number>> = {
  title: 1_000,
  submitter: 1_000,
  submitted_at: 100,
  description: 10_000,
  project: 1_000,
};

type Member = keyof SubmissionDescription;

/** Adds the members of `submission.json` to the declarations. An empty text and `null` count as absent. */
export class SubmissionFileReader implements DescriptorReader {
  private readonly document: JsonDocument;
  private readonly into: Declarations;
  private readonly texts = new Map<Member, string>();

  constructor(into: Declarations) {
    this.into = into;
    this.document = new JsonDocument({
      texts: Object.keys(maxLengths),
      member: (name, kind) => {
        if (name in maxLengths && kind !== 'string' && kind !== 'null')
          throw new DescriptorError(`its ${name} must be a text`);
      },
      text: (name, value) => {
        this.addText(name as Member, value);
      },
    });
  }

  write(bytes: Uint8Array): void {
    this.document.write(bytes);
  }

  end(): void {
    this.document.end();
    const text = (member: Member): string | null => this.texts.get(member) ?? null;
    this.into.description = {
      title: text('title'),
      submitter: text('submitter'),
      submitted_at: text('submitted_at'),
      description: text('description'),
      project: text('project'),
    };
  }

  private addText(member: Member, value: string): void {
    const max = maxLengths[member];
    if (value.length > max) this.into.invalid(submissionFile, tooLong(member, value, max));
    else if (value !== '') this.texts.set(member, value);
  }
}
