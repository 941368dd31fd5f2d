import { noise, participants, participantTable, reads, sensorDay, variants, visitTable } from './contents.ts';
import { jsonFile, textFile, type Delivery } from './delivery.ts';
import { bag, dataPackage } from './packaging.ts';

const parkinson = participants('PC', 240);
const parkinsonGroups = ['case', 'control'] as const;

/** Frictionless data packages: tables and sensor series of a cohort of people with Parkinson's disease. */
const parkinsonBaseline: Delivery = {
  reference: 'SUB-2026-001',
  description: {
    title: 'PARKCOG, baseline and first follow-ups',
    submitter: 'ines.weber@example.org',
    submitted_at: '2026-02-09T08:15:00Z',
    description: 'Clinical assessments, cognitive tests and wearable sensors of the PARKCOG cohort, visits 1 to 4.',
    project: 'RDC_1',
  },
  documents: [
    textFile(
      'README.md',
      '# PARKCOG\n\nOne data package for each kind of data. Participants carry the same id in all of them.\n',
    ),
    textFile('consent-summary.txt', "Broad consent for research on Parkinson's disease; no commercial use.\n"),
  ],
  datasets: [
    {
      id: 'RDC_11',
      files: () =>
        dataPackage(
          { name: 'parkcog-clinical', title: 'PARKCOG clinical assessments', created: '2026-02-06T10:00:00Z' },
          [
            participantTable('data/participants.csv', parkinson, parkinsonGroups),
            visitTable('data/motor.csv', parkinson, { mds_updrs_3: 24, hoehn_yahr: 2, led_mg: 410 }),
            visitTable('data/vital_signs.csv', parkinson, { systolic: 131, diastolic: 79, weight_kg: 74 }),
          ],
        ),
    },
    {
      id: 'RDC_12',
      files: () =>
        dataPackage({ name: 'parkcog-cognition', title: 'PARKCOG cognitive tests', created: '2026-02-06T10:00:00Z' }, [
          participantTable('data/participants.csv', parkinson, parkinsonGroups),
          visitTable('data/moca.csv', parkinson, { moca_total: 25, naming: 3, attention: 5, recall: 4 }),
          visitTable('data/trail_making.csv', parkinson, { part_a_s: 41, part_b_s: 102 }),
          jsonFile('data/instruments.json', { moca: 'Montreal Cognitive Assessment 8.1', tmt: 'Trail Making Test' }),
        ]),
    },
    {
      id: 'RDC_13',
      files: () =>
        dataPackage(
          { name: 'parkcog-wearables', title: 'PARKCOG wearable sensors', created: '2026-02-06T10:00:00Z' },
          parkinson.slice(0, 60).flatMap((id) => [1, 2].map((day) => sensorDay(`data/${id}/day_${String(day)}.csv`))),
        ),
    },
  ],
  marked: true,
};

/** BagIt bags: exomes and EEG recordings of children with epilepsy. A bag is ready when all files of its manifest exist. */
const epilepsyGenetics: Delivery = {
  reference: 'SUB-2026-002',
  description: {
    title: 'EPIGEN, exomes and EEG of the first thirty families',
    submitter: 'tomas.novak@example.org',
    submitted_at: '2026-03-17T13:40:00Z',
    description: "Variant calls of 30 trios and the index patients' video EEG, one bag each.",
    project: 'RDC_2',
  },
  documents: [textFile('data-transfer-agreement.txt', 'Transfer under agreement EPIGEN-DTA-7, annex 2.\n')],
  datasets: [
    {
      id: 'RDC_14',
      files: () =>
        bag({ title: 'EPIGEN exome variant calls', date: '2026-03-16' }, [
          participantTable('samples.csv', participants('EG', 30), ['index', 'mother', 'father']),
          ...participants('EG', 30).map((id) => variants(`vcf/${id}.vcf`, id, 3_000)),
        ]),
    },
    {
      id: 'RDC_15',
      files: () =>
        bag({ title: 'EPIGEN video EEG, signals only', date: '2026-03-16' }, [
          jsonFile('montage.json', { system: '10-20', sampling_hz: 256, reference: 'average' }),
          ...participants('EG', 30).map((id) => noise(`eeg/${id}.edf`, 256 * 1024)),
        ]),
    },
  ],
  marked: false,
};

const tileCount = 3_000;

/** Plain files without a descriptor: reads of a gene panel, and a few thousand small image tiles. */
const hereditaryCancer: Delivery = {
  reference: 'SUB-2026-003',
  description: {
    title: 'BRCASEQ, panel sequencing and histology tiles',
    submitter: 'amara.diallo@example.org',
    submitted_at: '2026-04-28T16:05:00Z',
    description: 'Raw reads of the hereditary breast and ovarian cancer panel, and tiles of the matching sections.',
    project: 'RDC_3',
  },
  documents: [textFile('sample-sheet.csv', 'lane,sample,index\n1,HB-001,ACGT\n1,HB-002,TGCA\n')],
  datasets: [
    {
      id: 'RDC_16',
      files: () =>
        participants('HB', 4).flatMap((id) =>
          [1, 2].map((mate) => reads(`${id}/${id}_R${String(mate)}.fastq`, 14_000)),
        ),
    },
    {
      id: 'RDC_17',
      files: () =>
        Array.from({ length: tileCount }, (_, at) => {
          const slide = `slide_${String(Math.floor(at / 100) + 1).padStart(2, '0')}`;
          return noise(`${slide}/tile_${String(at % 100).padStart(3, '0')}.png`, 1_024 + (at % 7) * 256);
        }),
    },
  ],
  marked: true,
};

/** The three deliveries of the sample source system. */
export const sampleDeliveries: readonly Delivery[] = [parkinsonBaseline, epilepsyGenetics, hereditaryCancer];
