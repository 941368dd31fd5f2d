import { parseNumber, Setting } from '@rdc/settings';
import { IsInt, Matches, Max, Min } from 'class-validator';

/** The settings of the connection to Postgres. */
export class DatabaseSettings {
  @Setting({
    description: "URL of the catalog's Postgres database: `postgres://user:password@host:port/name`.",
    secret: true,
  })
  @Matches(/^postgres(ql)?:\/\//, {
    message: 'DATABASE_URL must be set to a URL that begins with postgres:// or postgresql://',
  })
  DATABASE_URL!: string;

  @Setting({
    description: 'Maximum number of connections that one process of the catalog opens to Postgres.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(2)
  @Max(1000)
  DATABASE_POOL_SIZE = 20;
}
