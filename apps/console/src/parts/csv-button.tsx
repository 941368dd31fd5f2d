import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { texts } from '../texts/texts.ts';
import { csvOf, type CsvRequest } from './csv.ts';

const words = texts.finding.csv;

export interface CsvButtonProps<Row> extends Pick<CsvRequest<Row>, 'load' | 'parameters'> {
  /** The name of the file, without extension. */
  readonly name: string;
}

/** A button that downloads all pages of a list, as filtered, in a CSV file. Pressed again, it cancels the download. */
export function CsvButton<Row extends object>({ name, load, parameters }: CsvButtonProps<Row>): ReactNode {
  const [rows, setRows] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const download = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setRows(0);
    try {
      const { signal } = abort;
      let total = 0;
      const onProgress = (read: number): void => {
        total = read;
        setRows(read);
      };
      save(await csvOf({ load, parameters, signal, onProgress }), `${name}.csv`);
      notifications.show({ message: words.done(total) });
    } catch (error) {
      if (!abort.signal.aborted) notifications.show({ color: 'red', title: words.failed, message: String(error) });
    } finally {
      if (running.current === abort) running.current = undefined;
      setRows(undefined);
    }
  };
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-live="polite"
      onClick={() => {
        if (running.current) running.current.abort();
        else void download();
      }}
    >
      {rows === undefined ? words.download : `${words.running(rows)} ${words.cancel}`}
    </Button>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
