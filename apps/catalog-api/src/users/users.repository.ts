import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A person as the list of people shows them. */
export interface ListedUser {
  readonly id: number;
  /** First and last name; the e-mail address, or the id, of somebody without any. */
  readonly text: string;
}

/** People in the database. */
@Injectable()
export class UsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Active people, by last and first name; no technical account. */
  listActive(): Promise<ListedUser[]> {
    return this.dataSource.query(`
      SELECT id, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email, 'User ' || id) AS text
        FROM users WHERE active AND NOT technical
       ORDER BY lower(last_name), lower(first_name), id`);
  }
}
