import { ApiProperty } from '@nestjs/swagger';

/** What is shown of a key after it was made: never the key itself. */
export class KeyState {
  @ApiProperty({ type: Date, nullable: true, description: 'When it ends; null: never.' })
  expires_at!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'When it was last used, to the minute.' })
  last_used_at!: Date | null;

  @ApiProperty({ description: 'Whether it is accepted now.' })
  valid!: boolean;
}

/** A key, the only time it is shown. */
export class IssuedKey {
  @ApiProperty({ description: 'The key. It is shown here and never again.' })
  key!: string;

  @ApiProperty({ type: Date, nullable: true, description: 'When it ends; null: never.' })
  expires_at!: Date | null;
}
