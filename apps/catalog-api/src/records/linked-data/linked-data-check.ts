import type { Store } from 'n3';
import { placeOf, placeText, requiredFacts, type CentreFacts, type RequiredFact } from './readiness.js';
import { ShapeValidator } from './shape-validator.js';

type Node = Readonly<Record<string, unknown>>;

/** The shapes and facts with which datasets are checked. */
export interface LinkedDataCheckOptions {
  readonly shapes: Store;
  readonly base: string;
  readonly centre: CentreFacts;
  /** Whether the facts that HealthDCAT-AP requires at any level of access are checked too. */
  readonly requiresFacts: boolean;
}

/** Checks datasets in JSON-LD one by one, so that memory does not grow with their number. */
export class LinkedDataCheck {
  private readonly validator: ShapeValidator;

  constructor(private readonly options: LinkedDataCheckOptions) {
    this.validator = new ShapeValidator(options.shapes, options.base);
  }

  /** Returns a line for each violation: dataset, property, message and place of the fact, separated by tabs. */
  async linesOf(dataset: Node): Promise<string[]> {
    const missing = requiredFacts(dataset, this.options.centre).filter(({ isStated }) => !isStated);
    const violations = await this.validator.violationsOf(dataset);
    const violated = new Set(violations.map(({ property }) => property));
    const unnoted = missing.filter(({ property }) => this.options.requiresFacts && !violated.has(property));
    const lines = [
      ...violations.map(({ property, message }) => [property ?? '-', message, this.remedyOf(property, missing)]),
      ...unnoted.map((fact) => [fact.property, 'HealthDCAT-AP requires the fact.', placeText(fact)]),
    ];
    const name = oneLine(String(dataset['dct:identifier']));
    return [...new Set(lines.map((line) => [name, ...line.map(oneLine)].join('\t')))];
  }

  private remedyOf(property: string | undefined, missing: readonly RequiredFact[]): string {
    if (property === undefined) return missing.map(placeText).join(', ') || '-';
    const place = placeOf(property);
    return place ? placeText(place) : '-';
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
