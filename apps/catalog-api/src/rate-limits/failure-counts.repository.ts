import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** How many failures there were, and for how many seconds more they count. */
export interface Failures {
  readonly count: number;
  readonly secondsLeft: number;
}

const secondsLeft = 'greatest(1, ceil(extract(epoch FROM ends_at - now())))::int AS "secondsLeft"';

const addOne = `
  INSERT INTO failure_counts AS kept (sort, subject, count, ends_at)
  VALUES ($1, $2, 1, now() + make_interval(secs => $3))
  ON CONFLICT (sort, subject) DO UPDATE
     SET count = CASE WHEN kept.ends_at <= now() THEN 1 ELSE kept.count + 1 END,
         ends_at = CASE WHEN kept.ends_at <= now() THEN excluded.ends_at ELSE kept.ends_at END
  RETURNING count, ${secondsLeft}`;

/** The counts of failures, shared by every replica. */
@Injectable()
export class FailureCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts one more; the count begins anew when `windowSeconds` have passed since its first. */
  async add(sort: string, subject: string, windowSeconds: number): Promise<Failures> {
    const [failures] = await this.dataSource.query<[Failures]>(addOne, [sort, subject, windowSeconds]);
    return failures;
  }

  async get(sort: string, subject: string): Promise<Failures> {
    const [failures] = await this.dataSource.query<Failures[]>(
      `SELECT count, ${secondsLeft} FROM failure_counts WHERE sort = $1 AND subject = $2 AND ends_at > now()`,
      [sort, subject],
    );
    return failures ?? { count: 0, secondsLeft: 0 };
  }

  async remove(sort: string, subject: string): Promise<void> {
    await this.dataSource.query('DELETE FROM failure_counts WHERE sort = $1 AND subject = $2', [sort, subject]);
  }

  async removeEnded(): Promise<void> {
    await this.dataSource.query('DELETE FROM failure_counts WHERE ends_at <= now()');
  }
}
