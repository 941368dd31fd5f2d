import { ApiProperty } from '@nestjs/swagger';
import { BodyMayBeMissing } from '@rdc/http';
import { IsString, MaxLength } from 'class-validator';
import { Flag } from '../../platform/properties/property.decorators.js';
import { maxPasswordLength, minPasswordLength } from '../sessions/password-length.js';

/** The longest token that is looked up. Generated tokens have 43 characters. */
const maxTokenLength = 200;

/** The body of a request for a link. */
@BodyMayBeMissing()
export class CreatePasswordLink {
  @Flag({
    description:
      'Whether the link may add a local password to an account that signs in only at the identity provider. If false, no link is created for such an account.',
    optional: true,
  })
  add_password = false;
}

/** A new link. No other answer contains the link. */
export class PasswordLinkResponse {
  @ApiProperty({ description: 'The address for the person. The token follows `#`, so that no server logs it.' })
  url!: string;

  @ApiProperty({ description: 'The end of the link.' })
  expires_at!: Date;
}

/** The body of a request that uses a link. */
export class UsePasswordLink {
  @ApiProperty({ maxLength: maxTokenLength, description: 'The part of the link after `#`.' })
  @IsString()
  @MaxLength(maxTokenLength)
  token!: string;

  @ApiProperty({
    minLength: minPasswordLength,
    maxLength: maxPasswordLength,
    description:
      'The new password. Common passwords and passwords that consist of the name or the e-mail address of the person are refused.',
  })
  @IsString()
  @MaxLength(maxPasswordLength)
  password!: string;
}
