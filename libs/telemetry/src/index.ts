export { startTracing, tracing, type Facts, type OpenSpan, type RequestSpan, type TracedService } from './tracing.js';
