import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { Instant, PartOf, Reference } from '../../platform/database/record.entity.js';
import { User } from '../users/user.entity.js';

/** A session of a person. Without the row, the catalog rejects the token in the cookie. */
@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Reference()
  @Index()
  userId!: number;

  @PartOf(() => User)
  user!: Relation<User>;

  @Instant({ default: () => 'now()' })
  createdAt!: Date;

  @Instant()
  @Index()
  expiresAt!: Date;

  /** The last use, to the minute. */
  @Instant({ default: () => 'now()' })
  lastUsedAt!: Date;

  /** The address from which the person signed in; null if the session is older than this column. */
  @Column({ type: 'varchar', length: 45, nullable: true })
  address!: string | null;

  /** The first 200 characters of the browser's `User-Agent`; null if the browser sent none. */
  @Column({ type: 'varchar', length: 200, nullable: true })
  userAgent!: string | null;

  /** The means of the sign-in: `password` or `identity_provider`; null if the session is older than this column. */
  @Column({ type: 'varchar', length: 20, nullable: true })
  method!: string | null;
}
