import { Controller, Get } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { UsersRepository, type ListedUser } from './users.repository.js';

/** The list of people (catalog interface, section 5). */
@Controller('api/users')
@CallableBy('session', 'global')
export class UsersController {
  constructor(private readonly repository: UsersRepository) {}

  /** Active people, by last and first name. */
  @Get()
  async list(): Promise<{ results: ListedUser[] }> {
    return { results: await this.repository.listActive() };
  }
}
