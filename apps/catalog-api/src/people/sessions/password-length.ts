/** Minimum number of characters of a local password. */
export const minPasswordLength = 12;

/** Maximum number of characters of a local password. The limit bounds the cost of one hash. */
export const maxPasswordLength = 1024;
