export type { Facts, OpenSpan, RequestSpan, TracedService } from './spans.js';
export { startTracing, tracing } from './tracing.js';
