/** Returns the faults of a commit message, each as a sentence. */
export function faultsOf(message: string): string[];
