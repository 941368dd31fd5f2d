/** The actor of writes by a command in the audit trail. */
export const commandActor = 'command: import';
