import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { maxPasswordLength, minPasswordLength } from '../../platform/settings/password-length.js';
import { maxCodeLength } from '../sessions/sign-in.dto.js';

/** The proof that a person who is signed in is still the one at the screen. */
export class PasswordProof {
  @ApiProperty({ maxLength: maxPasswordLength, description: 'The present password.' })
  @IsString()
  @MaxLength(maxPasswordLength)
  current_password!: string;

  @ApiPropertyOptional({
    maxLength: maxCodeLength,
    description: 'A code of the second factor, or a recovery code; needed if the account has a second factor.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(maxCodeLength)
  code?: string;
}

/** The body of `PUT /api/session/password`. */
export class ChangePassword extends PasswordProof {
  @ApiProperty({
    minLength: minPasswordLength,
    maxLength: maxPasswordLength,
    description: 'The new password; not a common one, and not made of the name or the e-mail address of its owner.',
  })
  @IsString()
  @MaxLength(maxPasswordLength)
  new_password!: string;
}

/** The body of `POST /api/session/second-factor/confirmation`. */
export class ConfirmSecondFactor {
  @ApiProperty({ maxLength: maxCodeLength, description: 'The present code of the authenticator.' })
  @IsString()
  @MaxLength(maxCodeLength)
  code!: string;
}

/** The state of the caller's second factor. */
export class SecondFactorState {
  @ApiProperty({
    enum: ['off', 'unconfirmed', 'on'],
    description: '`unconfirmed`: it was begun, and is not needed until a code confirms it.',
  })
  state!: 'off' | 'unconfirmed' | 'on';

  @ApiProperty({ type: 'integer', description: 'Recovery codes that are left.' })
  recovery_codes!: number;
}

/** A new secret, the only time it is shown. */
export class NewSecondFactor {
  @ApiProperty({ description: 'The secret in base 32, to be typed into an authenticator.' })
  secret!: string;

  @ApiProperty({ description: 'The same as an `otpauth` address, to be shown as a QR code.' })
  uri!: string;
}

/** New recovery codes, the only time they are shown. */
export class RecoveryCodes {
  @ApiProperty({ type: [String], description: 'Each replaces one code of the authenticator, once.' })
  recovery_codes!: readonly string[];
}
