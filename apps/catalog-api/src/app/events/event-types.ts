/** The types of events to which a subscription can subscribe. `docs/integrate.md` describes the data of each. */
export const eventTypes = [
  'exposure.changed',
  'access.granted',
  'access.changed',
  'access.ended',
  'import.finished',
  'import.rejected',
  'import.failed',
  'verification.failed',
] as const;

/** The types that the provisioner reports. Triggers of the database add the events of the other types. */
export const importEventTypes = [
  'import.finished',
  'import.rejected',
  'import.failed',
  'verification.failed',
] as const satisfies readonly EventType[];

export type EventType = (typeof eventTypes)[number];

/** The type of a test event, which one subscription receives on request. */
export const testEventType = 'test';

/** The states of a delivery. `failed`: no attempt succeeded in `EVENT_RETRY_DAYS`. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** The reasons of a pause. `failures`: no attempt succeeded in `EVENT_RETRY_DAYS`. `gone`: the receiver answered 410. */
export const pauseReasons = ['administrator', 'failures', 'gone'] as const;

export type PauseReason = (typeof pauseReasons)[number];
