/** A file and its path below its folder. */
export interface SampleFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** One dataset of a delivery. The name of its folder is the dataset's id and the `external_id` of its catalog record. */
export interface SampleDataset {
  readonly id: string;
  /** All files in its folder, including descriptors. */
  readonly files: () => SampleFile[];
}

/** One submission of the source system. */
export interface Delivery {
  /** The reference, which is the name of its folder. */
  readonly reference: string;
  /** The content of `submission.json`. */
  readonly description: {
    readonly title: string;
    readonly submitter: string;
    readonly submitted_at: string;
    readonly description: string;
    /** `external_id` of the catalog's project. */
    readonly project: string;
  };
  /** Files next to the datasets: the documents of the future collection. */
  readonly documents: readonly SampleFile[];
  readonly datasets: readonly SampleDataset[];
  /** Whether the delivery contains the marker of a complete delivery. */
  readonly marked: boolean;
}

/** Generates every file of a delivery, one dataset at a time. */
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
