export { currentRequestId } from './current-request.js';
export { BodyMayBeMissing, ContractPipe, problemsOf } from './contract.pipe.js';
export { createApp, type EdgeOptions } from './create-app.js';
export { ErrorFilter, type ErrorTranslator } from './error.filter.js';
export { clientAddress, gatewayHeader, servedOrigin, type Forwarded, type TrustedForwarders } from './forwarded.js';
export { jsonOf } from './json-body.js';
export { NestLogger } from './nest-logger.js';
export { HealthModule, ReadinessProbe, type Readiness } from './health.module.js';
