import type { BodyForm } from './described-routes.ts';

/** The parts that a hostile request adds to a plain request. */
export interface HostileParts {
  readonly headers?: Readonly<Record<string, string>>;
  /** Query without its question mark. */
  readonly query?: string;
  readonly body?: Buffer;
}

/** Bytes of a request line or of all headers that Node accepts, without the headers of every request. */
const headBytes = 14 * 1024;

/** Values that the services accept in one body. A body with fewer values also reaches the code after the parser. */
const acceptedValues = 90_000;

/** The shapes of requests without a body. */
export const headShapes: Readonly<Record<string, (parameters: readonly string[]) => readonly HostileParts[]>> = {
  'many headers': () => [
    { headers: Object.fromEntries(filled(headBytes / 12, (at) => [`x-${String(at)}`, 'a'])) },
    { headers: { cookie: 'a=b; '.repeat(headBytes / 5), 'if-none-match': '"a", '.repeat(200) } },
    { headers: { 'accept-encoding': 'a;q=0.1, '.repeat(headBytes / 9), 'content-type': 'a/b; c=d'.repeat(20) } },
    { headers: { 'x-forwarded-for': '10.0.0.1, '.repeat(headBytes / 10) } },
  ],
  'long query': (parameters) => [
    { query: 'a'.repeat(headBytes) },
    ...parameters.map((name) => ({ query: `${name}=${'a '.repeat(headBytes / 4).replaceAll(' ', '%20')}` })),
  ],
  'many parameters': (parameters) => [
    { query: filled(headBytes / 8, (at) => `p${String(at)}=1`).join('&') },
    { query: filled(headBytes / 12, () => `${parameters[0] ?? 'a'}=1`).join('&') },
    { query: '&='.repeat(headBytes / 2) },
  ],
  'odd unicode in the query': (parameters) => [
    { query: `${parameters[0] ?? 'a'}=${'%F0%9F%92%A5'.repeat(headBytes / 12)}` },
    { query: `${parameters[0] ?? 'a'}=${'e%CC%81'.repeat(headBytes / 7)}` },
    { query: `${parameters[0] ?? 'a'}=${'%E2%80%AE'.repeat(headBytes / 9)}%ED%A0%80` },
  ],
};

/** The shapes of bodies. Each fills about the given number of bytes, in one or more ways. */
export const bodyShapes: Readonly<Record<string, (form: BodyForm, bytes: number) => readonly (() => string)[]>> = {
  'many members': (form, bytes) => [
    () => whole(form, `{${unknownMembers(bytes)}}`),
    () => whole(form, `{${padded(bytes, (at, text) => `"member${String(at)}":"${text}"`)}}`),
    () => whole(form, `{${member(form, `{${padded(bytes, (at, text) => `"member${String(at)}":"${text}"`)}}`)}}`),
  ],
  deep: (form, bytes) => [
    () => nested(bytes),
    () => '{"a":'.repeat(bytes / 5),
    () => whole(form, `{${member(form, nested(bytes))}}`),
    () => whole(form, `{${member(form, JSON.stringify(`{"a":${nested(bytes)}}`))}}`),
  ],
  wide: (form, bytes) => [
    () => `[${'[],'.repeat(bytes / 3)}[]]`,
    () => whole(form, '{},'.repeat(bytes / 3) + '{}'),
    () => whole(form, '1,'.repeat(bytes / 2) + '1'),
    () => whole(form, `{${member(form, `[${'{},'.repeat(bytes / 3)}1]`)}}`),
    () =>
      whole(
        form,
        `{${form.members.map((name) => `"${name}":[${padded(bytes / form.members.length, (at, text) => `"${text}${String(at)}"`)}]`).join()}}`,
      ),
    () => whole(form, `{${member(form, `[${padded(bytes, (at, text) => `{"k${String(at)}":"${text}"}`, 2)}]`)}}`),
    () => whole(form, `{${member(form, JSON.stringify(`{"a":[${'[],'.repeat(bytes / 3)}1]}`))}}`),
    () =>
      whole(
        form,
        `{${member(form, JSON.stringify(`{"a":[${padded(bytes, (at, text) => `"${text}${String(at)}"`)}]}`))}}`,
      ),
    () => padded(bytes, (at) => `{"name":"${String(at)}"}`).replaceAll('},{', '}\n{'),
  ],
  'long strings': (form, bytes) =>
    ['a', ' ', '@', 'a@', '.', 'a.', '-', '1', '\\\\', '\\n'].map(
      (bait) => () => whole(form, `{${everyMember(form, (share) => `"${bait.repeat(share / bait.length)}"`, bytes)}}`),
    ),
  'long numbers': (form, bytes) => [
    () => '1'.repeat(bytes),
    () => whole(form, `{${everyMember(form, (share) => '1'.repeat(share), bytes)}}`),
    () => whole(form, `{${everyMember(form, (share) => `1.${'1'.repeat(share)}e-300`, bytes)}}`),
    () => whole(form, `{${member(form, `[${padded(bytes, (_, text) => `1${text.replaceAll('a', '1')}`)}]`)}}`),
  ],
  'duplicate keys': (form, bytes) => [
    () => whole(form, `{${'"a":1,'.repeat(bytes / 6)}"a":1}`),
    () => whole(form, `{${padded(bytes, (_, text) => `"${form.members[0] ?? 'a'}":"${text}"`)}}`),
    () => `{${'"__proto__" :1,'.repeat(bytes / 16)}"a":1}`,
    () => `{${`"__proto__"${' '.repeat(200)},`.repeat(bytes / 212)}"a":1}`,
  ],
  'odd unicode': (form, bytes) =>
    ['\\ud83d', '\\u0000', 'e\u0301', '\u202e', '\u{1f4a5}', '\uffff', '\\u0041'].flatMap((odd) => [
      () => whole(form, `{${everyMember(form, (share) => `"${odd.repeat(share / Buffer.byteLength(odd))}"`, bytes)}}`),
      () => whole(form, `{"${odd.repeat(bytes / 2 / Buffer.byteLength(odd))}":1}`),
    ]),
};

function filled<T>(count: number, part: (at: number) => T): T[] {
  return Array.from({ length: Math.floor(count) }, (_, at) => part(at));
}

/** Returns unknown members, as many as fit. */
function unknownMembers(bytes: number): string {
  return filled(bytes / 18, (at) => `"member${String(at)}":1`).join();
}

/** Returns as many parts as a body may contain or as fit. The text in each part is as long as needed to fill the bytes. */
function padded(bytes: number, part: (at: number, text: string) => string, values = 1): string {
  const perPart = 24;
  const count = Math.min(acceptedValues / values, bytes / perPart);
  const text = 'a'.repeat(Math.max(0, bytes / count - perPart));
  return filled(count, (at) => part(at, text)).join();
}

function nested(bytes: number): string {
  return '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
}

/** Returns one member that the route accepts, preferably `metadata`, which may hold any value. */
function member({ members }: BodyForm, value: string): string {
  return `"${members.includes('metadata') ? 'metadata' : (members[0] ?? 'a')}":${value}`;
}

function everyMember({ members }: BodyForm, value: (share: number) => string, bytes: number): string {
  const names = members.length > 0 ? members : ['a'];
  return names.map((name) => `"${name}":${value(bytes / names.length)}`).join();
}

/** Wraps an element as the route expects its elements. */
function whole({ wrapping }: BodyForm, element: string): string {
  if (wrapping === 'items') return `{"items":[${element}]}`;
  return wrapping === 'list' ? `[${element}]` : element;
}
