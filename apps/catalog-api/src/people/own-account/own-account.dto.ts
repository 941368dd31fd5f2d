import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { maxPasswordLength, minPasswordLength } from '../sessions/password-length.js';
import { maxCodeLength, SecondFactorCode } from '../sessions/sign-in.dto.js';

/** The proof that the person at the screen is the person who signed in. */
export class PasswordProof {
  @ApiProperty({ maxLength: maxPasswordLength, description: 'The current password.' })
  @IsString()
  @MaxLength(maxPasswordLength)
  current_password!: string;

  @SecondFactorCode()
  code?: string;
}

/** The body of `PUT /api/session/password`. */
export class ChangePassword extends PasswordProof {
  @ApiProperty({
    minLength: minPasswordLength,
    maxLength: maxPasswordLength,
    description:
      'The new password. Common passwords and passwords that consist of the name or the e-mail address of the person are refused.',
  })
  @IsString()
  @MaxLength(maxPasswordLength)
  new_password!: string;
}

/** The body of `POST /api/session/second-factor/confirmation`. */
export class ConfirmSecondFactor {
  @ApiProperty({ maxLength: maxCodeLength, description: 'The current code of the authenticator.' })
  @IsString()
  @MaxLength(maxCodeLength)
  code!: string;
}

/** The state of the caller's second factor. */
export class SecondFactorState {
  @ApiProperty({
    enum: ['off', 'unconfirmed', 'on'],
    description: '`unconfirmed`: the factor was created, and signing in does not require it until a code confirms it.',
  })
  state!: 'off' | 'unconfirmed' | 'on';

  @ApiProperty({ type: 'integer', description: 'Number of unused recovery codes.' })
  recovery_codes!: number;
}

/** A new secret. No other answer contains the secret. */
export class NewSecondFactor {
  @ApiProperty({ description: 'The secret in base 32, for typing into an authenticator.' })
  secret!: string;

  @ApiProperty({ description: 'The secret as an `otpauth` address, for a QR code.' })
  uri!: string;
}

/** New recovery codes. No other answer contains the codes. */
export class NewRecoveryCodes {
  @ApiProperty({
    type: [String],
    description: 'Recovery codes. Each code can be used once instead of a code of the authenticator.',
  })
  recovery_codes!: readonly string[];
}
