import { ApiProperty } from '@nestjs/swagger';

/** The state of a key. The key itself is never part of it. */
export class KeyState {
  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'The time at which the key expires, or null if the key does not expire.',
  })
  expires_at!: Date | null;

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'The time of the last use of the key, to the minute, or null if the key was never used.',
  })
  last_used_at!: Date | null;

  @ApiProperty({ description: 'Whether the key is accepted now.' })
  valid!: boolean;
}

/** A new key. This is the only response that contains the key. */
export class IssuedKey {
  @ApiProperty({ description: 'The key. Store it now: no later response contains it.' })
  key!: string;

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'The time at which the key expires, or null if the key does not expire.',
  })
  expires_at!: Date | null;
}
