/** Why the system cannot start, as a sentence for whoever typed the command; shown without a stack. */
export class CannotStartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CannotStartError';
  }
}
