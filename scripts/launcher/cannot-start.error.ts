/** A reason for which a command cannot start. Its message is shown without a stack and names the remedy. */
export class CannotStartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CannotStartError';
  }
}
