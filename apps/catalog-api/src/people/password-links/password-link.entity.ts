import { Column, Entity, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { Instant, Reference } from '../../platform/database/record.entity.js';
import { User } from '../users/user.entity.js';

/** A link with which one person sets a local password once. A newer link of the person replaces the row. */
@Entity('password_links')
export class PasswordLink {
  @Reference({ primary: true })
  userId!: number;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The keyed hash of the token; the token itself is shown once and stored nowhere. */
  @Column({ type: 'varchar', length: 64, unique: true })
  tokenHash!: string;

  /** Whether the link may give a password to an account that signs in at the identity provider only. */
  @Column({ type: 'boolean', default: false })
  addsPassword!: boolean;

  @Instant({ default: () => 'now()' })
  createdAt!: Date;

  @Instant()
  expiresAt!: Date;
}
