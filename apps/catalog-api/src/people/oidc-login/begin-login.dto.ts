import { IsOptional, IsString, MaxLength } from 'class-validator';

/** The query of `GET /api/session/oidc`. */
export class BeginLogin {
  /** A path on this site. */
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  return_to?: string;
}
