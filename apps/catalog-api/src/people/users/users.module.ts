import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

/** The list of people. */
@Module({ imports: [DocumentsModule], controllers: [UsersController], providers: [UsersService, UsersRepository] })
export class UsersModule {}
