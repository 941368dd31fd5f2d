import { Injectable } from '@nestjs/common';
import { AppError } from '@rdc/errors';
import { AccountLookup } from '../identity-provider/account-lookup.js';
import { IdentityProvider } from '../identity-provider/identity-provider.js';
import { CatalogSettings } from '../settings.js';
import { decide, type Decision, type Outcome } from './decision.js';
import { readEntitlements, type Entitlement, type EntitlementKey } from './entitlement.js';
import { EntitlementsRepository } from './entitlements.repository.js';

/** What became of one element of a post. */
export interface ElementResult extends EntitlementKey {
  /** Place of the element in the body. */
  readonly index: number;
  /** `precreated`: stored, and waiting for its person to be found; `unknown_resource`: there is no such dataset. */
  readonly outcome: Outcome | 'precreated' | 'unknown_resource';
}

/** 400: some elements name a dataset that the catalog does not have; the others were done. */
export class UnknownResourceError extends AppError {
  constructor(results: readonly ElementResult[]) {
    const unknown = results.filter(({ outcome }) => outcome === 'unknown_resource').map(({ resource }) => resource);
    super(
      'accessreq.unknown_resource',
      `There is no dataset ${[...new Set(unknown)].join(', ')}; the other elements were done.`,
      { details: { results } },
    );
  }
}

/** How long an answer waits for the identity provider. The sender gives up after 2.5 s, and repeats. */
const lookupBudgetMs = 1200;

/** Takes what the access-request system says about who may use what. */
@Injectable()
export class AccessRequestService {
  constructor(
    private readonly repository: EntitlementsRepository,
    private readonly provider: IdentityProvider,
    private readonly lookup: AccountLookup,
    private readonly settings: CatalogSettings,
  ) {}

  /**
   * Does every element of a post, each in a transaction of its own.
   *
   * What is stored is stored before anybody else is asked; a person who is not found within the time the sender waits
   * is looked for in the background.
   *
   * @throws InvalidInputError when an element is not of the shape; nothing is done
   * @throws UnknownResourceError when a dataset is unknown; the other elements are done
   */
  async receive(body: unknown): Promise<ElementResult[]> {
    const entitlements = readEntitlements(body);
    const outcomes = new Map<string, ElementResult['outcome']>();
    for (const [name, group] of groupByKey(entitlements)) outcomes.set(name, await this.apply(group));
    await this.completeGrants(entitlements, outcomes);
    const results = entitlements.map(({ application, resource, user }, index) => {
      const outcome = outcomes.get(nameOf({ application, resource, user })) ?? 'unchanged';
      return { index, application, resource, user, outcome };
    });
    if (results.some(({ outcome }) => outcome === 'unknown_resource')) throw new UnknownResourceError(results);
    return results;
  }

  private async apply(group: Group): Promise<ElementResult['outcome']> {
    const decision = await this.repository.apply(group.key, (standing, now) => this.decide(group, standing, now));
    if (!decision) return 'unknown_resource';
    return decision.next?.granted && decision.next.status === 'precreated' ? 'precreated' : decision.outcome;
  }

  private decide({ ends }: Group, standing: Parameters<typeof decide>[0], now: Date): Decision {
    return decide(standing, ends, {
      now,
      defaultTermDays: this.settings.ACCESS_DEFAULT_EXPIRATION_DAYS,
      firstStatus: this.provider.name === 'none' ? 'active' : 'precreated',
    });
  }

  /** Looks for the people of new grants, as long as the sender waits; what is done by then counts as granted. */
  private async completeGrants(
    entitlements: readonly Entitlement[],
    outcomes: Map<string, ElementResult['outcome']>,
  ): Promise<void> {
    const waiting = entitlements.filter((each) => outcomes.get(nameOf(each)) === 'precreated');
    const found = await this.lookup.completeWithin(new Set(waiting.map(({ user }) => user)), lookupBudgetMs);
    for (const each of waiting) if (found.has(each.user)) outcomes.set(nameOf(each), 'granted');
  }
}

/** The elements of a body about one entitlement. */
interface Group {
  readonly key: EntitlementKey;
  readonly ends: readonly (Date | null)[];
}

function groupByKey(entitlements: readonly Entitlement[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const each of entitlements) {
    const ends = [...(groups.get(nameOf(each))?.ends ?? []), each.end];
    groups.set(nameOf(each), { key: each, ends });
  }
  return groups;
}

function nameOf({ application, resource, user }: EntitlementKey): string {
  return JSON.stringify([application, resource, user]);
}
