export { AppError } from './app-error.js';
export { codeOfStatus, statusByCode, statusOf, type ErrorCode } from './codes.js';
export { envelopeOf, type ErrorEnvelope } from './envelope.js';
export {
  AccessDeniedError,
  DependencyDownError,
  type DependencyFault,
  InvalidInputError,
  IntrospectionOffError,
  KeyRequiredError,
  MethodNotAllowedError,
  MissingScopeError,
  NotAcceptableError,
  NotJsonError,
  PreconditionFailedError,
  RateLimitedError,
  RecordInUseError,
  SessionEndedError,
  UnknownKeyError,
  UnknownRecordError,
  UnknownRouteError,
  UnprovenWriteError,
  UnsupportedMediaTypeError,
  maxNamedProblems,
  type FieldProblem,
} from './errors.js';
