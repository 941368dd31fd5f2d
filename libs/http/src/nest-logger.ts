import type { LoggerService } from '@nestjs/common';
import { tracing } from '@rdc/telemetry';
import type { Logger } from 'pino';
import { currentRequestId } from './current-request.js';

/** A Nest logger that writes to the structured log and adds the ids of the current request and trace. */
export class NestLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, context?: string): void {
    this.write('info', message, context);
  }

  warn(message: unknown, context?: string): void {
    this.write('warn', message, context);
  }

  /** Logs a message or an error. Nest passes the context as the last argument, after the stack if there is one. */
  error(message: unknown, ...rest: readonly unknown[]): void {
    this.write('error', message, rest.at(-1));
  }

  debug(message: unknown, context?: string): void {
    this.write('debug', message, context);
  }

  private write(level: 'info' | 'warn' | 'error' | 'debug', message: unknown, context: unknown): void {
    const request_id = currentRequestId();
    const trace_id = tracing.traceId();
    const bindings = {
      ...(typeof context === 'string' && { context }),
      ...(request_id !== null && { request_id }),
      ...(trace_id !== null && { trace_id }),
    };
    if (message instanceof Error) this.pino[level]({ ...bindings, err: message }, message.message);
    else if (typeof message === 'object' && message !== null) this.pino[level]({ ...bindings, ...message });
    else this.pino[level](bindings, message as string);
  }
}
