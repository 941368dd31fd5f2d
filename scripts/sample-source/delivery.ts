/** A file by its path below the folder it belongs to. */
export interface SampleFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** One dataset of a delivery: its folder's name is the dataset's id, and the `external_id` of its catalog record. */
export interface SampleDataset {
  readonly id: string;
  /** Everything in its folder, descriptors included. */
  readonly files: () => SampleFile[];
}

/** One submission of the source system. */
export interface Delivery {
  /** The reference name, which is its folder's name. */
  readonly reference: string;
  /** What `submission.json` says. */
  readonly description: {
    readonly title: string;
    readonly submitter: string;
    readonly submitted_at: string;
    readonly description: string;
    /** `external_id` of the catalog's project. */
    readonly project: string;
  };
  /** Files beside the datasets: the future collection's documents. */
  readonly documents: readonly SampleFile[];
  readonly datasets: readonly SampleDataset[];
  /** Whether the whole delivery carries the marker that says it is complete. */
  readonly marked: boolean;
}

/** Every file of a delivery, made one dataset at a time. */
export function* filesOf(delivery: Delivery): Generator<SampleFile> {
  yield jsonFile('submission.json', delivery.description);
  yield* delivery.documents;
  for (const dataset of delivery.datasets) {
    for (const { path, bytes } of dataset.files()) yield { path: `${dataset.id}/${path}`, bytes };
  }
  if (delivery.marked) yield textFile('.ready', '');
}

export function textFile(path: string, text: string): SampleFile {
  return { path, bytes: Buffer.from(text, 'utf8') };
}

export function jsonFile(path: string, value: unknown): SampleFile {
  return textFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
