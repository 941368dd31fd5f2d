import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { maxKeyLength, roles, scopes, type Role, type Scope } from '@rdc/auth';
import { Text } from '../../platform/properties/property.decorators.js';

/** The longest token that is looked at: a session token with every role is far shorter. */
const maxTokenLength = Math.max(4096, maxKeyLength);

/** The question about a token (in the spirit of RFC 7662). */
export class Introspect {
  @Text({ description: 'A session token, or a service key.', min: 1, max: maxTokenLength })
  token!: string;
}

/** Kinds of caller that introspection tells apart. */
export const introspectedKinds = ['session', 'service'] as const;

/** The answer about a token. Other services decide by it, so members are only ever added. */
export class IntrospectionResponse {
  @ApiProperty({ description: 'Whether the token is accepted now. If not, the answer has no other member.' })
  active!: boolean;

  @ApiPropertyOptional({ enum: introspectedKinds })
  kind?: (typeof introspectedKinds)[number];

  @ApiPropertyOptional({ description: 'Of a session: the id of its user.' })
  user_id?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Of a session: its user at the identity provider.',
  })
  subject?: string | null;

  @ApiPropertyOptional({ enum: roles, isArray: true, description: 'Of a session: the present roles of its user.' })
  roles?: readonly Role[];

  @ApiPropertyOptional({ description: 'Of a session.' })
  session_id?: string;

  @ApiPropertyOptional({ description: 'Of a service key.' })
  key_id?: string;

  @ApiPropertyOptional({ description: 'Of a service key.' })
  name?: string;

  @ApiPropertyOptional({ enum: scopes, isArray: true, description: 'Of a service key.' })
  scopes?: readonly Scope[];

  @ApiPropertyOptional({ type: [String], nullable: true, description: 'Of a service key: prefixes; null for all.' })
  submissions?: readonly string[] | null;

  @ApiPropertyOptional({ type: [String], nullable: true, description: 'Of a service key: accessions; null for all.' })
  projects?: readonly string[] | null;

  @ApiPropertyOptional({ type: Date, nullable: true, description: 'Of a service key: its end; null for none.' })
  expires_at?: Date | null;
}
