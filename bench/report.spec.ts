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
  it('should call a goal reached when the run is within its own spread of it', () => {
    const row = rowOf(benchmark, { ours: 48, baseline: 100, ratios: [0.45, 0.48, 0.52] });
    expect(row).toMatchObject({ ratio: 0.48, reached: true });
  });

  it('should call it missed when even the best round is below it', () => {
    expect(rowOf(benchmark, { ours: 30, baseline: 100, ratios: [0.3, 0.31, 0.3] }).reached).toBe(false);
  });

  it('should turn the judgement round for a goal that is an upper bound', () => {
    expect(rowOf({ ...benchmark, atMost: true }, { ours: 2, baseline: 1, ratios: [2, 2] }).reached).toBe(false);
  });

  it('should say so when there is no baseline to compare with', () => {
    expect(lineOf(rowOf(benchmark, { ours: 5, baseline: null, ratios: [] }))).toContain('no baseline here');
  });
});

describe(pairwise.name, () => {
  it('should take both in turn and compare each round with its own baseline', async () => {
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
