import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Instant, Reference } from '../database/record.entity.js';
import { User } from '../users/user.entity.js';

/** Somebody is signed in. The row is the truth; without it the token in the cookie opens nothing here. */
@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Reference()
  @Index()
  userId!: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  @Instant({ default: () => 'now()' })
  createdAt!: Date;

  @Instant()
  @Index()
  expiresAt!: Date;
}
