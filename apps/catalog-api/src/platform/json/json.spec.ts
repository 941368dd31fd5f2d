import { withMember } from './json.js';

describe(withMember.name, () => {
  it.each([
    ['{}', '{"size":{"bytes":1}}'],
    ['{"size": {"bytes": 7, "x": [1, {"a": "}"}]}}', '{"size":{"bytes":1}}'],
    ['{"a": 12345678901234567890, "b": 1.0}', '{"a":12345678901234567890,"b":1.0,"size":{"bytes":1}}'],
    [
      '{"a": {"size": 2}, "\\"b,\\\\": "x: {\\"size\\"", "size": null, "c": [1, [2, 3]]}',
      '{"a":{"size":2},"\\"b,\\\\":"x: {\\"size\\"","c":[1,[2,3]],"size":{"bytes":1}}',
    ],
    ['{"s\\u0069ze": 3}', '{"size":{"bytes":1}}'],
  ])('should set one member of %s and keep the text of all others', (text, expected) => {
    expect(withMember(text, 'size', { bytes: 1 })).toBe(expected);
  });

  it('should remove the member when the value is undefined', () => {
    expect(withMember('{"size": 1, "a": "b"}', 'size', undefined)).toBe('{"a":"b"}');
    expect(withMember('{"size": 1}', 'size', undefined)).toBe('{}');
  });
});
