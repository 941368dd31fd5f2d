/** What became of one request. */
export interface Outcome {
  /** 0 when it broke off. */
  readonly status: number;
  readonly body: string;
}

/** So long nobody waits for good answers. */
const patienceMs = 60_000;

/** Sends requests all the time, several at once, until told to stop. */
export class SteadyLoad {
  readonly outcomes: Outcome[] = [];
  private readonly senders: Promise<void>[];
  private stopping = false;

  /** @param ask makes the nth request */
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

  /** Resolves when so many more requests were answered as they should be. @throws Error, and stops, when they are not */
  async answered(more: number): Promise<void> {
    const good = (): number => this.outcomes.filter(({ status }) => status >= 200 && status < 300).length;
    const wanted = good() + more;
    for (const deadline = Date.now() + patienceMs; good() < wanted;) {
      if (Date.now() > deadline) {
        this.stopping = true;
        throw new Error(
          `Only ${String(good())} of ${String(wanted)} requests were answered: ${JSON.stringify(this.outcomes.at(-1))}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function outcomeOf(answer: Promise<Response>): Promise<Outcome> {
  try {
    const response = await answer;
    return { status: response.status, body: await response.text() };
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, 20)); // what fails at once would keep this process from all else
    return { status: 0, body: String(error) };
  }
}
