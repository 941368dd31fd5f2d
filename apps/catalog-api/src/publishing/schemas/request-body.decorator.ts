import { ApiExtension, type OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type RequestBody = Exclude<Operation['requestBody'], { $ref: string } | undefined>;

/** Documents a body with a schema for each media type. `@ApiBody` applies one schema to all media types. */
export const ApiRequestBody = (content: RequestBody['content']): MethodDecorator =>
  ApiExtension('x-request-body', { required: true, content } satisfies RequestBody);

/** Replaces the extension of `ApiRequestBody` in the document by the request body. */
export function describeRequestBodies({ paths }: OpenAPIObject): void {
  for (const { post } of Object.values(paths) as { post?: Operation & { 'x-request-body'?: RequestBody } }[]) {
    if (!post?.['x-request-body']) continue;
    post.requestBody = post['x-request-body'];
    delete post['x-request-body'];
  }
}
