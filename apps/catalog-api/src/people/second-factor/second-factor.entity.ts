import { Column, Entity, JoinColumn, ManyToOne, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Instant, Reference } from '../../platform/database/record.entity.js';
import { User } from '../users/user.entity.js';

/** The second factor of a local account. Signing in requires the factor only after its confirmation. */
@Entity('second_factors')
export class SecondFactor {
  @Reference({ primary: true })
  userId!: number;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The secret of the authenticator, encrypted under a key that is not in the database. */
  @Column({ type: 'varchar', length: 255 })
  sealedSecret!: string;

  @Instant({ default: () => 'now()' })
  createdAt!: Date;

  /** The time at which a code proved that the authenticator has the secret. */
  @Instant({ nullable: true })
  confirmedAt!: Date | null;

  /** The time step of the last accepted code. Codes of this step and earlier steps are refused. */
  @Column({ type: 'bigint', default: 0 })
  lastStep!: string;
}

/** One unused recovery code. Using the code removes the row. */
@Entity('recovery_codes')
export class RecoveryCode {
  @Reference({ primary: true })
  userId!: number;

  @ManyToOne(() => SecondFactor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', referencedColumnName: 'userId' })
  factor!: Relation<SecondFactor>;

  /** The keyed hash of the code. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  codeHash!: string;
}
