import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { FailureCount } from './failure-count.entity.js';

/** A count of failures, with the seconds until the count ends. */
export interface Failures {
  readonly count: number;
  readonly secondsLeft: number;
}

export interface ReachedCount {
  readonly sort: string;
  readonly subject: string;
  readonly count: number;
  readonly endsAt: Date;
  /** The account, if `subject` names one. */
  readonly userId: number | null;
  readonly userName: string | null;
  readonly email: string | null;
}

/** A count at the instant of its audit entry. */
export type ReachedMark = Pick<ReachedCount, 'count' | 'endsAt'>;

const secondsLeft = 'greatest(1, ceil(extract(epoch FROM ends_at - now())))::int AS "secondsLeft"';

const addOne = `
  INSERT INTO failure_counts AS kept (sort, subject, count, ends_at)
  VALUES ($1, $2, 1, now() + make_interval(secs => $3))
  ON CONFLICT (sort, subject) DO UPDATE
     SET count = CASE WHEN kept.ends_at <= now() THEN 1 ELSE kept.count + 1 END,
         ends_at = CASE WHEN kept.ends_at <= now() THEN excluded.ends_at ELSE kept.ends_at END,
         audited = kept.audited AND kept.ends_at > now()
  RETURNING count, ${secondsLeft}`;

/** `$1` and `$2` are the sorts and their limits. */
const listReached = `
  SELECT kept.sort, kept.subject, kept.count, kept.ends_at AS "endsAt", users.id AS "userId", users.email,
         nullif(trim(users.first_name || ' ' || users.last_name), '') AS "userName"
    FROM failure_counts AS kept
    JOIN unnest($1::text[], $2::integer[]) AS rule (sort, most) ON rule.sort = kept.sort AND kept.count >= rule.most
    LEFT JOIN users ON kept.subject = 'user:' || users.id
   WHERE kept.ends_at > now() AND ($3::text IS NULL OR kept.subject = $3)
   ORDER BY kept.ends_at DESC, kept.sort, kept.subject LIMIT $4`;

/** The maximum number of counts in one list. */
const maxListed = 1000;

/** The statements about counts of failures, which all replicas share. */
@Injectable()
export class FailureCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds one to a count. If `windowSeconds` have passed since the first failure, the count restarts at 1. */
  async add(
    sort: string,
    subject: string,
    windowSeconds: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Failures> {
    const [failures] = await manager.query<[Failures]>(addOne, [sort, subject, windowSeconds]);
    return failures;
  }

  async get(sort: string, subject: string): Promise<Failures> {
    const [failures] = await this.dataSource.query<Failures[]>(
      `SELECT count, ${secondsLeft} FROM failure_counts WHERE sort = $1 AND subject = $2 AND ends_at > now()`,
      [sort, subject],
    );
    return failures ?? { count: 0, secondsLeft: 0 };
  }

  /** @returns whether the count existed */
  async remove(sort: string, subject: string, manager: EntityManager = this.dataSource.manager): Promise<boolean> {
    const { affected } = await manager.delete(FailureCount, { sort, subject });
    return affected === 1;
  }

  /**
   * Marks a count as audited.
   *
   * @returns the count; null if another process marked the count before, or the count has ended
   */
  async markAudited(manager: EntityManager, sort: string, subject: string): Promise<ReachedMark | null> {
    const [[mark]] = await manager.query<[ReachedMark[]]>(
      `UPDATE failure_counts SET audited = true
        WHERE sort = $1 AND subject = $2 AND NOT audited AND ends_at > now() RETURNING count, ends_at AS "endsAt"`,
      [sort, subject],
    );
    return mark ?? null;
  }

  /**
   * Returns up to 1,000 counts that have reached their limits; the counts that end last come first.
   *
   * @param limits the limit of each sort
   * @param subject restricts the list to one account or network
   */
  async listReached(limits: ReadonlyMap<string, number>, subject: string | null = null): Promise<ReachedCount[]> {
    const values = [[...limits.keys()], [...limits.values()], subject, maxListed];
    return this.dataSource.query<ReachedCount[]>(listReached, values);
  }

  async removeEnded(): Promise<void> {
    await this.dataSource.query('DELETE FROM failure_counts WHERE ends_at <= now()');
  }
}
