import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

/** The query of `GET /api/session/oidc`. */
export class BeginLogin {
  @ApiPropertyOptional({ maxLength: 2000, description: 'The path on this site to which the browser returns.' })
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  return_to?: string;
}
