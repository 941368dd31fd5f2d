import { hash } from 'node:crypto';

/** Returns a short digest of a text. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Returns the strong entity tag of a response body. */
export function tagOf(text: string): string {
  return `"${digestOf(text)}"`;
}

/** Returns the tags in a header such as `If-Match`. */
export function tagsOf(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Returns whether `tags` contains a tag, by weak comparison. `*` matches every tag. */
export function isTagged(etag: string, tags: readonly string[]): boolean {
  const weak = (tag: string): string => tag.replace(/^W\//, '');
  return tags.some((tag) => tag === '*' || weak(tag) === weak(etag));
}
