/** A running system that is attacked. */
export interface Target {
  /** Origin through which strangers reach the system, e.g. `http://127.0.0.1:8080`, without a slash at the end. */
  readonly origin: string;
  /** Global key of the system, for the attacks on routes that need a key. */
  readonly globalKey: string;
  /** Data folder of `npm start`; undefined if the system was started in another way. Deliveries are written to its `source/`. */
  readonly dataFolder: string | undefined;
}

/** Result of one attack. */
export interface Finding {
  /** Name of the attack, e.g. `body that Connection hides`. */
  readonly attack: string;
  /** Method and path that were attacked. */
  readonly route: string;
  /** Answer of the system, e.g. `400 input.invalid`. */
  readonly answer: string;
  /** Longest time in milliseconds in which another caller got no answer; undefined if the attack measures none. */
  readonly stopMs?: number;
  /** Bound on `stopMs`, with the allowance for the noise of the machine. */
  readonly maxStopMs?: number;
  /** Whether the system withstood the attack; `not run` if the attack could not be tried, with the reason in `answer`. */
  readonly withstood: boolean | 'not run';
}

/** A group of attacks that `npm run attack` runs and prints. Each attack is bounded in requests and in time. */
export interface Attack {
  /** Word that selects the group on the command line, e.g. `smuggling`. */
  readonly name: string;
  run(target: Target): AsyncIterable<Finding>;
}
