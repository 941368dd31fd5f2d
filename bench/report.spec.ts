import { pairwise } from './benchmark.js';
import { lineOf, rowOf } from './report.js';

const benchmark = {
  name: 'example',
  unit: 'req/s',
  compares: 'ours / bare',
  goal: 0.5,
  measure: () => Promise.reject(new Error('not measured here')),
};

describe(rowOf.name, () => {
  const verdict = (ratios: readonly number[], atMost = false): string =>
    rowOf({ ...benchmark, atMost }, { ours: 1, baseline: 1, ratios }).verdict;

  it('should report a goal as reached when the median reaches it', () => {
    expect(verdict([0.2, 0.5, 0.52])).toBe('reached');
    expect(verdict([0.45, 0.48, 0.52])).toBe('unclear');
  });

  it('should report a goal as missed when even the best round misses it', () => {
    expect(verdict([0.3, 0.31, 0.3])).toBe('MISSED');
  });

  it('should compare in the other direction when the goal is an upper bound', () => {
    expect(verdict([0.4, 2, 2], true)).toBe('unclear');
    expect(verdict([2, 2], true)).toBe('MISSED');
    expect(verdict([0.4, 0.4], true)).toBe('reached');
  });

  it('should report a missing baseline', () => {
    expect(lineOf(rowOf(benchmark, { ours: 5, baseline: null, ratios: [] }))).toContain('no baseline here');
  });
});

describe(pairwise.name, () => {
  it('should run both actions alternately and compare each round with its own baseline', async () => {
    const calls: string[] = [];
    const figures = (name: string, values: number[]) => () => {
      calls.push(name);
      return Promise.resolve(values.shift() ?? 0);
    };
    const measured = await pairwise(2, figures('ours', [10, 30]), figures('baseline', [20, 40]));
    expect(calls).toEqual(['baseline', 'ours', 'baseline', 'ours']);
    expect(measured).toEqual({ ours: 20, baseline: 30, ratios: [0.5, 0.75] });
  });
});
