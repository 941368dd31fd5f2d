import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

/** The number of bytes of the digest. */
const digestBytes = 32;

/** The maximum number of rounds, so that a wrong hash cannot occupy a thread for minutes. */
const maxRounds = 10_000_000;

/** The hash of an endpoint's key as another system stored it: `pbkdf2_sha256$<rounds>$<salt>$<digest>`. */
export class ImportedKeyHash {
  private constructor(
    private readonly rounds: number,
    private readonly salt: string,
    private readonly digest: Buffer,
  ) {}

  /** Returns undefined if the text is not such a hash. */
  static parse(text: string): ImportedKeyHash | undefined {
    const parts = /^pbkdf2_sha256\$(\d{1,8})\$(.+)\$([A-Za-z0-9+/]{43}=)$/.exec(text);
    const [, rounds, salt, digest] = parts ?? [];
    if (rounds === undefined || salt === undefined || digest === undefined) return undefined;
    if (Number(rounds) < 1 || Number(rounds) > maxRounds) return undefined;
    return new ImportedKeyHash(Number(rounds), salt, Buffer.from(digest, 'base64'));
  }

  /** Hashes with the same group have the same rounds and the same salt, so one derivation serves all of them. */
  get group(): string {
    return `${String(this.rounds)}$${this.salt}`;
  }

  /** Derives the digest of a key in a worker thread. The derivation takes about half a second of one core. */
  digestOf(key: string): Promise<Buffer> {
    return derive(key, this.salt, this.rounds, digestBytes, 'sha256');
  }

  matches(digest: Buffer): boolean {
    return timingSafeEqual(digest, this.digest);
  }
}
