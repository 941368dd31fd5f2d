import { Column, Entity, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { Instant, Reference } from '../../platform/database/record.entity.js';
import { User } from '../users/user.entity.js';

/** A one-time link for setting a local password. A new link for the same person replaces the row. */
@Entity('password_links')
export class PasswordLink {
  @Reference({ primary: true })
  userId!: number;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The keyed hash of the token. The token itself is shown once and stored nowhere. */
  @Column({ type: 'varchar', length: 64, unique: true })
  tokenHash!: string;

  /** Whether the link may add a password to an account that signs in only at the identity provider. */
  @Column({ type: 'boolean', default: false })
  addsPassword!: boolean;

  @Instant({ default: () => 'now()' })
  createdAt!: Date;

  @Instant()
  expiresAt!: Date;
}
