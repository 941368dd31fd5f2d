/** Who writes when a command does, as the audit trail names them. */
export const commandActor = 'command: import';
