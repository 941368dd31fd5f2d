import { AppError, InvalidInputError, maxNamedProblems, type FieldProblem } from '@rdc/errors';

/** What is wrong with one item of several. */
export interface ItemProblem extends FieldProblem {
  /** Place of the item in what was sent, from 0. */
  readonly index: number;
}

/** 400: some of the items that were sent cannot be written, so none was. */
export class InvalidItemsError extends AppError {
  constructor(
    private readonly problems: readonly ItemProblem[],
    count: number,
  ) {
    const items = new Set(problems.map(({ index }) => index)).size;
    const more = count > problems.length ? `, and ${String(count - problems.length)} problems more` : '';
    super('input.invalid', `${String(items)} items are not right${more}; nothing was written.`, {
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

  /** One line for each problem, for an operator. */
  lines(): string[] {
    return this.problems.map(({ index, field, problem }) => `item ${String(index)}: ${field} ${problem}`);
  }
}

/** Collects what is wrong, so that all of it can be told at once. */
export class WriteProblems {
  private readonly told: ItemProblem[] = [];
  private count = 0;

  get any(): boolean {
    return this.count > 0;
  }

  add(index: number, problem: FieldProblem): void {
    this.count++;
    if (this.told.length < maxNamedProblems) this.told.push({ index, ...problem });
  }

  /** @throws InvalidInputError when something was added about the one document that was sent */
  refuseDocument(): void {
    if (this.any)
      throw new InvalidInputError(
        this.told.map(({ field, problem, allowed }) => ({ field, problem, ...(allowed && { allowed }) })),
        this.count,
      );
  }

  /**
   * Spares the reading of further items when an answer could not name their problems.
   *
   * @throws InvalidItemsError if more problems were added than an answer names
   */
  refuseTooMany(): void {
    if (this.count > maxNamedProblems) this.refuseItems();
  }

  /** @throws InvalidItemsError when something was added about one of the items that were sent */
  refuseItems(): void {
    if (this.any) throw new InvalidItemsError(this.told, this.count);
  }
}
