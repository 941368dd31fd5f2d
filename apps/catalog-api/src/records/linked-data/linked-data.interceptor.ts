import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { IdentifiedRequest } from '@rdc/auth';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { map, type Observable } from 'rxjs';
import type { ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { jsonForTheKey } from '../../publishing/documents/stored-response.interceptor.js';
import { IriBase } from './iri-base.js';
import { LinkedData, linkedDataLabel, linkedDataType } from './linked-data.js';

type StoredRequest = ListRequest | RecordRequest;

/** What a caller can accept of ours; all but the last is JSON. */
const forms = ['*/*', 'application/*', 'application/json', linkedDataType];

const vary = `Accept, ${jsonForTheKey.Vary}`;

/**
 * Turns what a handler asks of the stored documents into linked data when the caller would rather have that. JSON is
 * what everybody else gets, whatever they accept.
 */
@Injectable()
export class LinkedDataInterceptor implements NestInterceptor<StoredRequest, StoredRequest> {
  constructor(
    private readonly linkedData: LinkedData,
    private readonly base: IriBase,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<StoredRequest>): Observable<StoredRequest> {
    const request = context.switchToHttp().getRequest<FastifyRequest & IdentifiedRequest>();
    return next.handle().pipe(map((wanted) => this.negotiate(wanted, request)));
  }

  private negotiate(wanted: StoredRequest, request: FastifyRequest & IdentifiedRequest): StoredRequest {
    const { list } = wanted;
    if (!prefersLinkedData(request) || (list !== 'projects' && list !== 'datasets')) {
      return { ...wanted, headers: { ...jsonForTheKey, Vary: vary } };
    }
    const caller = request.principal ?? { kind: 'anonymous' };
    const base = this.base.of(request);
    const headers = { ...jsonForTheKey, 'Content-Type': linkedDataLabel, Vary: vary };
    if ('kind' in wanted) return { ...this.linkedData.node(wanted, list, caller, base), headers };
    return { ...this.linkedData.graph(wanted, list, caller, base), headers };
  }
}

/** Whether the form of ours that a caller likes best is linked data, of whatever profile. */
function prefersLinkedData(request: FastifyRequest): boolean {
  const types = new Negotiator(request).mediaTypes().map((type) => type.toLowerCase());
  return types.find((type) => forms.includes(type)) === linkedDataType;
}
