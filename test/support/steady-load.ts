import { until } from './until.ts';

/** The outcome of a request. */
export interface Outcome {
  /** The status; 0 if the answer broke off. */
  readonly status: number;
  readonly body: string;
}

/** A load of several concurrent requests until `stop` is called. */
export class SteadyLoad {
  readonly outcomes: Outcome[] = [];
  private readonly senders: Promise<void>[];
  private stopping = false;

  /** @param ask sends the nth request */
  constructor(senders: number, ask: (turn: number) => Promise<Response>) {
    let turn = 0;
    this.senders = Array.from({ length: senders }, async () => {
      while (!this.stopping) this.outcomes.push(await outcomeOf(ask(turn++)));
    });
  }

  async stop(): Promise<readonly Outcome[]> {
    this.stopping = true;
    await Promise.all(this.senders);
    return this.outcomes;
  }

  /** Waits for the given number of further good answers. @throws Error, and stops, if they do not arrive in time */
  async answered(more: number): Promise<void> {
    const good = (): number => this.outcomes.filter(({ status }) => status >= 200 && status < 300).length;
    const wanted = good() + more;
    await until(() => good() >= wanted).catch(() => {
      this.stopping = true;
      throw new Error(
        `Only ${String(good())} of ${String(wanted)} requests were answered: ${JSON.stringify(this.outcomes.at(-1))}`,
      );
    });
  }
}

async function outcomeOf(answer: Promise<Response>): Promise<Outcome> {
  try {
    const response = await answer;
    return { status: response.status, body: await response.text() };
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, 20)); // immediate failures would otherwise block this process
    return { status: 0, body: String(error) };
  }
}
