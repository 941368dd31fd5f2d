/** Neither a second slash nor a backslash first (a browser reads both as another host), nor anything it would drop. */
const path = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** Whether a browser that is sent there stays on this origin. Everything but a plain path of ours is refused. */
export function isOwnPath(text: string, origin: string): boolean {
  return path.test(text) && URL.canParse(text, origin) && new URL(text, origin).origin === new URL(origin).origin;
}
