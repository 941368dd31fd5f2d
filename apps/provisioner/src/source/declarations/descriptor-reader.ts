/** Reads one descriptor into the declarations of its place, piece by piece. */
export interface DescriptorReader {
  /** @throws DescriptorError if the descriptor cannot be used */
  write(bytes: Uint8Array): void;
  /** Is called after the last piece. @throws DescriptorError if the descriptor cannot be used */
  end(): void;
}
