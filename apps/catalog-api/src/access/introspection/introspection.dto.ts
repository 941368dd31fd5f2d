import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { maxKeyLength, roles, scopes, type Role, type Scope } from '@rdc/auth';
import { Text } from '../../platform/properties/property.decorators.js';

/** The longest token that is checked. A session token with every role is far shorter. */
const maxTokenLength = Math.max(4096, maxKeyLength);

/** The body of an introspection, similar to RFC 7662. */
export class Introspect {
  @Text({ description: 'A session token or a service key.', min: 1, max: maxTokenLength })
  token!: string;
}

/** The kinds of caller that introspection reports. */
const introspectedKinds = ['session', 'service'] as const;

/** The caller of a token. Other services depend on the members, so no member is ever removed. */
export class IntrospectionResponse {
  @ApiProperty({ description: 'Whether the token is accepted now. If false, the answer has no other member.' })
  active!: boolean;

  @ApiPropertyOptional({ enum: introspectedKinds })
  kind?: (typeof introspectedKinds)[number];

  @ApiPropertyOptional({ description: 'For a session: the id of the user.' })
  user_id?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'For a session: the identifier of the user at the identity provider.',
  })
  subject?: string | null;

  @ApiPropertyOptional({ enum: roles, isArray: true, description: 'For a session: the current roles of the user.' })
  roles?: readonly Role[];

  @ApiPropertyOptional({ description: 'For a session: the id of the session.' })
  session_id?: string;

  @ApiPropertyOptional({ description: 'For a service key: the id of the key.' })
  key_id?: string;

  @ApiPropertyOptional({ description: 'For a service key: the name of the program.' })
  name?: string;

  @ApiPropertyOptional({ enum: scopes, isArray: true, description: 'For a service key: the scopes.' })
  scopes?: readonly Scope[];

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    description: 'For a service key: prefixes of submissions; null for all submissions.',
  })
  submissions?: readonly string[] | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    description: 'For a service key: accessions of projects; null for all projects.',
  })
  projects?: readonly string[] | null;

  @ApiPropertyOptional({
    type: Date,
    nullable: true,
    description: 'For a service key: the end of the key; null for no end.',
  })
  expires_at?: Date | null;
}
