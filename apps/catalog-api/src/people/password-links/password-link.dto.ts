import { ApiProperty } from '@nestjs/swagger';
import { BodyMayBeMissing } from '@rdc/http';
import { IsString, MaxLength } from 'class-validator';
import { Flag } from '../../platform/properties/property.decorators.js';
import { maxPasswordLength, minPasswordLength } from '../../platform/settings/password-length.js';

/** The longest token that is looked up; those that are created have 43 characters. */
const maxTokenLength = 200;

/** The body of a request for a link. */
@BodyMayBeMissing()
export class CreatePasswordLink {
  @Flag({
    description:
      'Whether an account that signs in at the identity provider only gets a local password too. Without it, no link is created for such an account.',
    optional: true,
  })
  add_password = false;
}

/** A link, the only time it is shown. */
export class PasswordLinkResponse {
  @ApiProperty({ description: 'The address to give to the person. Its token follows `#`, so that no server logs it.' })
  url!: string;

  @ApiProperty({ description: 'When the link can be used no more.' })
  expires_at!: Date;
}

/** The body with which a link is used. */
export class UsePasswordLink {
  @ApiProperty({ maxLength: maxTokenLength, description: 'The part of the link after `#`.' })
  @IsString()
  @MaxLength(maxTokenLength)
  token!: string;

  @ApiProperty({
    minLength: minPasswordLength,
    maxLength: maxPasswordLength,
    description: 'The new password; not a common one, and not made of the name or the e-mail address of its owner.',
  })
  @IsString()
  @MaxLength(maxPasswordLength)
  password!: string;
}
