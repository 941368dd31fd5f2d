import { doubtAbout, type FolderState } from './source-sight.js';

const state = (inode: number, changed: number): FolderState => ({ inode: String(inode), changed: String(changed) });
const [root, submission, dataset] = [state(1, 10), state(2, 20), state(3, 30)];
const seen = [root, submission, dataset];

describe(doubtAbout.name, () => {
  it.each([
    ['the same folders are there', seen],
    ['the delivery has changed', [state(1, 11), state(2, 21), state(3, 31)]],
    ['the delivery was removed', [root, state(2, 21)]],
    ['the submission was removed', [state(1, 11)]],
    ['the submission was replaced and lacks the delivery', [state(1, 11), state(9, 15)]],
    ['another client reports other inodes of the same folders', [state(7, 10), state(8, 20), state(9, 30)]],
    [
      'another client reports other inodes and another submission has arrived',
      [state(7, 11), state(8, 20), state(9, 30)],
    ],
  ])('should return nothing when %s', (_, present) => {
    expect(doubtAbout(seen, present)).toBeNull();
  });

  it.each([
    ['the root is another, empty folder', [state(7, 5)], 'another folder'],
    ['the root is missing', [], 'another folder'],
    ['another source holds a delivery of that name', [state(7, 5), state(8, 6), state(9, 7)], 'another folder'],
    ['the submission is missing and the root is older', [state(1, 9)], 'older'],
    ['the delivery is missing and the submission is older', [root, state(2, 19)], 'older'],
  ])('should return the reason when %s', (_, present, reason) => {
    expect(doubtAbout(seen, present)).toContain(reason);
  });

  it('should return nothing when the service has not listed folders', () => {
    expect(doubtAbout([], [])).toBeNull();
  });
});
