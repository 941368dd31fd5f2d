import { FoldedIds } from './folded-ids.js';

describe(FoldedIds.name, () => {
  const ids = FoldedIds.of(['DS-1', 'DS-2', 'ds-3', 'Ds-3']);

  it('should return an id that differs by case only', () => {
    expect(['ds-1', 'DS-1', 'DS-11', 'dS-2'].map((id) => ids.caseVariantOf(id))).toEqual([
      'DS-1',
      undefined,
      undefined,
      'DS-2',
    ]);
    expect(ids.caseVariantOf('ds-3')).toBe('Ds-3');
    expect(ids.caseVariantOf('Ds-3')).toBe('ds-3');
    expect(FoldedIds.of([]).caseVariantOf('DS-1')).toBeUndefined();
  });

  it('should return a changed copy when an id is added or removed, and stay unchanged', () => {
    const later = ids.changed(['DS-1', 'Ds-3', 'DS-9'], ['ds-2', 'DS-2', 'DS-4']);
    expect(['ds-1', 'DS-3', 'ds-3', 'ds-2', 'DS-2', 'ds-4'].map((id) => later.caseVariantOf(id))).toEqual([
      ...[undefined, 'ds-3', undefined, 'DS-2', 'ds-2', 'DS-4'],
    ]);
    expect([ids.caseVariantOf('ds-1'), ids.caseVariantOf('ds-4')]).toEqual(['DS-1', undefined]);
  });

  it('should return the correct variant after each of many changes', () => {
    let later = ids;
    for (let number = 0; number < 2_500; number += 1) {
      later = later.changed(number < 2_400 ? [`X-${String(number)}`] : [], [`X-${String(number + 1)}`]);
    }
    expect(['ds-1', 'x-1', 'x-2400', 'x-2401', 'x-2500'].map((id) => later.caseVariantOf(id))).toEqual([
      ...['DS-1', undefined, 'X-2400', 'X-2401', 'X-2500'],
    ]);
  });
});
