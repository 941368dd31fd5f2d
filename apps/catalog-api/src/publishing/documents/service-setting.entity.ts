import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting of the service on which stored values depend, as recorded at the last start of the service. */
@Entity('service_settings')
export class ServiceSetting {
  @PrimaryColumn({ type: 'varchar', length: 40 })
  name!: string;

  /** null if the setting was not set. */
  @Column({ type: 'text', nullable: true })
  value!: string | null;
}
