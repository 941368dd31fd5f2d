import { Injectable, Logger } from '@nestjs/common';
import { AppError, UnknownRecordError } from '@rdc/errors';
import { OutageLog } from '@rdc/http';
import { AccountLookup } from '../../people/account-sync/account-lookup.js';
import { IdentityProvider } from '../../people/identity-provider/identity-provider.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { AccessRequestMetrics } from './accessreq.metrics.js';
import { AccessRequestSystem } from './access-request-system.js';
import { decide, type Decision, type elementOutcomes, type CurrentAccess } from './decision.js';
import { readEntitlements, type Claim, type Entitlement, type EntitlementKey } from './entitlement.js';
import { EntitlementsRepository, type CheckedClaim } from './entitlements.repository.js';

/** What became of one element of a post. */
export interface ElementResult extends EntitlementKey {
  /** Place of the element in the body. */
  readonly index: number;
  /** `precreated`: stored, and waiting for its person to be found; `unknown_resource`: there is no such dataset. */
  readonly outcome: ElementOutcome;
}

type ElementOutcome = (typeof elementOutcomes)[number];

/** Unknown datasets that the sentence for a person names; a program reads the others. */
const maxSaid = 10;

/** 400: some elements name a dataset that the catalog does not have; the others were done. */
export class UnknownResourceError extends AppError {
  constructor(results: readonly ElementResult[]) {
    const refused = results.filter(({ outcome }) => outcome === 'unknown_resource');
    const unknown = [...new Set(refused.map(({ resource }) => resource))];
    const said = unknown.slice(0, maxSaid).join(', ');
    const others = unknown.length > maxSaid ? `, nor ${String(unknown.length - maxSaid)} others` : '';
    super('accessreq.unknown_resource', `There is no dataset ${said}${others}; the other elements were done.`, {
      details: { results },
    });
  }
}

/**
 * How long an answer waits for the access-request system and the identity provider together. The sender gives up after
 * 2.5 s, and repeats.
 */
const askingBudgetMs = 1400;

/** How long a retry waits for the identity provider. */
const retryBudgetMs = 5000;

/** Entitlements that the access-request system is asked about at once. */
const concurrentQuestions = 8;

/** Entitlements that are brought to the database together. */
const batchSize = 500;

/** Takes what the access-request system says about who may use what. */
@Injectable()
export class AccessRequestService {
  private readonly outages = new OutageLog(
    'confirming claims, which are tried again',
    new Logger(AccessRequestService.name),
  );

  constructor(
    private readonly repository: EntitlementsRepository,
    private readonly provider: IdentityProvider,
    private readonly lookup: AccountLookup,
    private readonly system: AccessRequestSystem,
    private readonly settings: CatalogSettings,
    private readonly metrics: AccessRequestMetrics,
  ) {}

  /**
   * Does every element of a post; one that fails takes none along.
   *
   * With an access-request system to ask, the post is a hint: what that says about the entitlement is done, and when it
   * does not answer in time, a grant waits for it. A person who is not found within the time the sender waits is looked
   * for in the background.
   *
   * @throws InvalidInputError when an element is not of the shape; nothing is done
   * @throws UnknownResourceError when a dataset is unknown; the other elements are done
   */
  async receive(body: unknown): Promise<ElementResult[]> {
    const entitlements = readEntitlements(body);
    const deadline = performance.now() + askingBudgetMs;
    const checked = await this.checkClaims(claimsOf(entitlements), AbortSignal.timeout(askingBudgetMs));
    const outcomes = await this.applyAll(checked);
    await this.completeGrants(entitlements, outcomes, Math.max(0, Math.round(deadline - performance.now())));
    const results = entitlements.map(({ application, resource, user }, index) => {
      const outcome = outcomes.get(nameOf({ application, resource, user })) ?? 'unchanged';
      return { index, application, resource, user, outcome };
    });
    this.metrics.count(results);
    if (results.some(({ outcome }) => outcome === 'unknown_resource')) throw new UnknownResourceError(results);
    return results;
  }

  /** Takes one claim as if it were posted now, with all the time that a retry has. */
  async retryClaim(claim: Claim): Promise<ElementOutcome> {
    const outcomes = await this.applyAll(await this.checkClaims([claim]));
    const outcome = outcomes.get(nameOf(claim.key)) ?? 'unchanged';
    const found =
      outcome === 'precreated' && (await this.findPeople(new Set([claim.key.user]), retryBudgetMs)).size > 0;
    return found ? 'granted' : outcome;
  }

  /** Asks the access-request system about an entitlement that waits for it, and does what it says. */
  async confirm({ application, resource, user, end }: Entitlement): Promise<void> {
    const checked = await this.checkClaims([{ key: { application, resource, user }, ends: [end] }]);
    await this.applyAll(checked.filter(({ statement }) => statement.trust === 'confirmed'));
  }

  /**
   * Looks at once, not when its turn comes, for what an access waits for: its confirmation, and its person.
   *
   * @returns what it is now
   * @throws UnknownRecordError when there is no such access
   */
  async retry(accessId: number): Promise<CurrentAccess['status']> {
    const access = await this.repository.find(accessId);
    if (!access) throw new UnknownRecordError('access', String(accessId));
    if (access.confirmationDue && this.system.isConfigured) await this.confirm(access);
    if (access.status === 'precreated') await this.findPeople(new Set([access.user]), retryBudgetMs);
    return (await this.repository.find(accessId))?.status ?? access.status;
  }

  /** What there is to believe about entitlements that were posted. */
  private async checkClaims(claims: readonly Claim[], signal?: AbortSignal): Promise<CheckedClaim[]> {
    if (!this.system.isConfigured) {
      return claims.map((claim) => ({ claim, statement: { ends: claim.ends, trust: 'posted', requestedAt: null } }));
    }
    const checked: CheckedClaim[] = [];
    for (const some of inBatches(claims, concurrentQuestions)) {
      const requestedAt = await this.repository.now();
      checked.push(...(await Promise.all(some.map((claim) => this.checkClaim(claim, requestedAt, signal)))));
    }
    return checked;
  }

  private async checkClaim(claim: Claim, requestedAt: Date, signal?: AbortSignal): Promise<CheckedClaim> {
    try {
      const ends = await this.system.findEnds(claim.key, signal);
      this.outages.succeeded();
      return { claim, statement: { ends, trust: 'confirmed', requestedAt } };
    } catch (error) {
      this.outages.failed(error);
      return { claim, statement: { ends: claim.ends, trust: 'unconfirmed', requestedAt: null } };
    }
  }

  private async applyAll(checked: readonly CheckedClaim[]): Promise<Outcomes> {
    const outcomes: Outcomes = new Map();
    for (const some of inBatches(checked, batchSize)) {
      const decisions = await this.repository.apply(some, (current, { ends, trust }, now) =>
        decide(current, ends, {
          now,
          defaultTermDays: this.settings.ACCESS_DEFAULT_EXPIRATION_DAYS,
          firstStatus: this.provider.name === 'none' ? 'active' : 'precreated',
          trust,
        }),
      );
      some.forEach(({ claim, statement }, at) => {
        outcomes.set(nameOf(claim.key), outcomeOf(decisions[at] ?? null, statement));
      });
    }
    return outcomes;
  }

  /** Looks for the people of new grants, as long as the sender waits; what is done by then counts as granted. */
  private async completeGrants(
    entitlements: readonly Entitlement[],
    outcomes: Outcomes,
    budgetMs: number,
  ): Promise<void> {
    const waiting = entitlements.filter((each) => outcomes.get(nameOf(each)) === 'precreated');
    const found = await this.findPeople(new Set(waiting.map(({ user }) => user)), budgetMs);
    for (const each of waiting) if (found.has(each.user)) outcomes.set(nameOf(each), 'granted');
  }

  /** Subjects of those who are found at the identity provider in time; nobody, where there is none. */
  private async findPeople(people: ReadonlySet<string>, budgetMs: number): Promise<Set<string>> {
    return this.provider.name === 'none' ? new Set() : this.lookup.activateWithin(people, budgetMs);
  }
}

/** What became of each entitlement, by its name. */
type Outcomes = Map<string, ElementOutcome>;

function outcomeOf(decision: Decision | null, { trust }: CheckedClaim['statement']): ElementOutcome {
  if (!decision) return 'unknown_resource';
  const waitsForPerson = decision.next?.granted && decision.next.status === 'precreated';
  return waitsForPerson && trust !== 'unconfirmed' ? 'precreated' : decision.outcome;
}

function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Returns the elements of a body, those about one entitlement together. */
function claimsOf(entitlements: readonly Entitlement[]): Claim[] {
  const claims = new Map<string, Claim & { readonly ends: (Date | null)[] }>();
  for (const each of entitlements) {
    const { application, resource, user, end } = each;
    const name = nameOf(each);
    const known = claims.get(name);
    if (known) known.ends.push(end);
    else claims.set(name, { key: { application, resource, user }, ends: [end] });
  }
  return [...claims.values()];
}

function nameOf({ application, resource, user }: EntitlementKey): string {
  return JSON.stringify([application, resource, user]);
}
