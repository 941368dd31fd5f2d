import { hash } from 'node:crypto';

/** A short text that two texts share only when they are the same. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** The `ETag` of an answer that is the same text byte for byte. */
export function tagOf(text: string): string {
  return `"${digestOf(text)}"`;
}

/** The tags in a header such as `If-Match`. */
export function tagsOf(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Whether a tag is one of some, weak or not; `*` is every tag. */
export function isTagged(etag: string, tags: readonly string[]): boolean {
  const weak = (tag: string): string => tag.replace(/^W\//, '');
  return tags.some((tag) => tag === '*' || weak(tag) === weak(etag));
}
