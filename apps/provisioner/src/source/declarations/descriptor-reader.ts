/** A reader of one descriptor, which adds its content to the declarations of the place. */
export interface DescriptorReader {
  /** @throws DescriptorError if the descriptor cannot be used */
  write(bytes: Uint8Array): void;
  /** To be called after the last piece. @throws DescriptorError if the descriptor cannot be used */
  end(): void;
}
