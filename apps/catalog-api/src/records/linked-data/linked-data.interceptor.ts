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

/** The media ranges that a response can satisfy. Only the last one selects linked data. */
const forms = ['*/*', 'application/*', 'application/json', linkedDataType];

const vary = `Accept, ${jsonForTheKey.Vary}`;

/**
 * Replaces a handler's request for stored documents by the request for their linked data, if the caller prefers linked
 * data. Every other caller gets JSON, whatever the header `Accept` contains.
 */
@Injectable()
export class LinkedDataInterceptor implements NestInterceptor<StoredRequest, StoredRequest> {
  constructor(
    private readonly linkedData: LinkedData,
    private readonly base: IriBase,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<StoredRequest>): Observable<StoredRequest> {
    const request = context.switchToHttp().getRequest<FastifyRequest & IdentifiedRequest>();
    return next.handle().pipe(map((requested) => this.negotiate(requested, request)));
  }

  private negotiate(requested: StoredRequest, request: FastifyRequest & IdentifiedRequest): StoredRequest {
    const { list } = requested;
    if (!prefersLinkedData(request) || (list !== 'projects' && list !== 'datasets')) {
      return { ...requested, headers: { ...jsonForTheKey, Vary: vary } };
    }
    const caller = request.principal ?? { kind: 'anonymous' };
    const base = this.base.of(request);
    const headers = { ...jsonForTheKey, 'Content-Type': linkedDataLabel, Vary: vary };
    if ('kind' in requested) return { ...this.linkedData.node(requested, list, caller, base), headers };
    return { ...this.linkedData.graph(requested, list, caller, base), headers };
  }
}

/** Whether the caller prefers linked data, of any profile, over JSON. */
function prefersLinkedData(request: FastifyRequest): boolean {
  const types = new Negotiator(request).mediaTypes().map((type) => type.toLowerCase());
  return types.find((type) => forms.includes(type)) === linkedDataType;
}
