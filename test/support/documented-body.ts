import type * as catalog from '../../apps/console/src/api/generated/catalog-api.ts';
import type * as provisioner from '../../apps/console/src/api/generated/provisioner.ts';

/** An import. */
export type Import = provisioner.components['schemas']['ImportResponse'];

/** The body of the answers of an operation of the provisioner. */
export type ProvisionerBody<Method extends string, Path extends string> = DocumentedBody<
  provisioner.paths,
  Method,
  Path,
  Merged<JsonOf<ResponsesOf<provisioner.operations[keyof provisioner.operations]>>>
>;

/** An object in answers of the catalog. */
export type CatalogSchema<Name extends keyof catalog.components['schemas']> = catalog.components['schemas'][Name];

/** The body of the answers of an operation of the catalog. */
export type CatalogBody<Method extends string, Path extends string> = DocumentedBody<
  catalog.paths,
  Method,
  Path,
  Merged<JsonOf<ResponsesOf<catalog.operations[keyof catalog.operations]>>>
>;

/**
 * The body of the answers of an operation, as an OpenAPI document describes it: the members of all answers, because a
 * test reads the members of the answer that it expects. `Path` may have a query and variable parts. `Otherwise` if the
 * document has no such operation, or the path is a variable.
 */
type DocumentedBody<Paths, Method extends string, Path extends string, Otherwise> = [
  OperationOf<Paths, Lowercase<Method>, TemplateOf<Paths, WithoutQuery<Path>>>,
] extends [infer Operation]
  ? [Operation] extends [never]
    ? Otherwise
    : Merged<JsonOf<ResponsesOf<Operation>>>
  : never;

type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;

/** The template of a path, such as `/imports/{id}`. A template without parameters takes precedence. */
type TemplateOf<Paths, Path extends string> = Path extends keyof Paths
  ? Path
  : { [Template in keyof Paths & string]: Fits<Path, Template> extends true ? Template : never }[keyof Paths & string];

type Fits<Path extends string, Template extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Template extends `${infer TemplateSegment}/${infer TemplateRest}`
    ? FitsSegment<Segment, TemplateSegment> extends true
      ? Fits<Rest, TemplateRest>
      : false
    : false
  : Template extends `${string}/${string}`
    ? false
    : FitsSegment<Path, Template>;

type FitsSegment<Segment extends string, Template extends string> = Template extends `{${string}}`
  ? true
  : Segment extends Template
    ? true
    : false;

type OperationOf<Paths, Method extends string, Template> = Template extends keyof Paths
  ? Method extends keyof Paths[Template]
    ? Paths[Template][Method]
    : never
  : never;

type ResponsesOf<Operation> = Operation extends { responses: infer Responses } ? Responses[keyof Responses] : never;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** An object with the members of all objects of a union. */
type Merged<Union> = {
  readonly [Member in Union extends unknown ? keyof Union : never]: Union extends unknown
    ? Member extends keyof Union
      ? Union[Member]
      : never
    : never;
};
