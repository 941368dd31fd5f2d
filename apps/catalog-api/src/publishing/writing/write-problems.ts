import { AppError, InvalidInputError, maxNamedProblems, type FieldProblem } from '@rdc/errors';

/** A problem of one of several items. */
export interface ItemProblem extends FieldProblem {
  /** The index of the item in the request, from 0. */
  readonly index: number;
}

/** The error (400) of a request with invalid items, of which none was written. */
export class InvalidItemsError extends AppError {
  constructor(
    private readonly problems: readonly ItemProblem[],
    count: number,
  ) {
    const items = new Set(problems.map(({ index }) => index)).size;
    const more = count > problems.length ? `, and ${String(count - problems.length)} more problems` : '';
    super('input.invalid', `${String(items)} items are invalid${more}; nothing was written.`, {
      details: {
        problems: count,
        items: problems.map(({ index, field, problem, allowed }) => ({
          index,
          field,
          reason: problem,
          ...(allowed && { allowed }),
        })),
      },
    });
  }

  /** Returns one line for each problem. */
  lines(): string[] {
    return this.problems.map(({ index, field, problem }) => `item ${String(index)}: ${field} ${problem}`);
  }
}

/** Collects problems, so that one response reports all of them. */
export class WriteProblems {
  private readonly named: ItemProblem[] = [];
  private count = 0;

  get any(): boolean {
    return this.count > 0;
  }

  add(index: number, problem: FieldProblem): void {
    this.count++;
    if (this.named.length < maxNamedProblems) this.named.push({ index, ...problem });
  }

  /** @throws InvalidInputError if the only document of the request has problems */
  refuseDocument(): void {
    if (this.any)
      throw new InvalidInputError(
        this.named.map(({ field, problem, allowed }) => ({ field, problem, ...(allowed && { allowed }) })),
        this.count,
      );
  }

  /**
   * Ends a request early when a response cannot report further problems.
   *
   * @throws InvalidItemsError if there are more problems than a response reports
   */
  refuseTooMany(): void {
    if (this.count > maxNamedProblems) this.refuseItems();
  }

  /** @throws InvalidItemsError if an item of the request has problems */
  refuseItems(): void {
    if (this.any) throw new InvalidItemsError(this.named, this.count);
  }
}
