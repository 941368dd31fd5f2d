export { Catalog } from './catalog.js';
export { ApiError, type ErrorCode } from './errors.js';
export type { paths as CatalogPaths, components as CatalogComponents } from './generated/catalog-api.js';
export type { paths as ProvisionerPaths, components as ProvisionerComponents } from './generated/provisioner.js';
export type { HarvestOptions, HarvestPage, ListName, RecordOf } from './harvest.js';
export { DatasetRefusedError, ImportEndedError, ImportTimeoutError, Provisioner, type Import } from './provisioner.js';
export type { ConnectionOptions } from './connection.js';
export type { RetryPolicy } from './retries.js';
