import type { Problem } from '../../model/problem.js';
import { readBag } from './bag.js';
import type { DeclarationAnswers, DeclarationRequest } from './declaration-messages.js';
import { Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { readerOf } from './descriptors.js';
import { DescriptorError } from './json-document.js';

/** Characters of the problems in one answer. The receiver processes an answer in one turn of its event loop. */
const pageCharacters = 64 * 1024;

/** The descriptor that is being read. `reader` is null if the rest of the descriptor is not needed. */
interface OpenDescriptor {
  readonly name: string;
  reader: DescriptorReader | null;
}

/** Reads the descriptors of one place after another and compares them with the place's files, by requests. */
export class DeclarationSession {
  private declarations = new Declarations();
  private maxBytes = 0;
  private descriptor: OpenDescriptor = { name: '', reader: null };
  private named: Iterator<Problem, undefined> = [].values();

  /** Returns the answer to a request. */
  handle(request: DeclarationRequest): DeclarationAnswers[DeclarationRequest['kind']] {
    switch (request.kind) {
      case 'begin':
        return this.begin(request.maxBytes);
      case 'open':
        this.descriptor = { name: request.name, reader: readerOf(request.name, this.declarations) };
        return null;
      case 'write':
        return this.read((reader) => {
          reader.write(request.bytes);
        });
      case 'end':
        return this.read((reader) => {
          reader.end();
        });
      case 'refuse':
        this.declarations.problems.add(request.problem);
        return null;
      case 'conclude':
        return this.conclude(request.bag);
      case 'compare':
        return this.compare(request.paths, request.sizes);
      case 'finish':
        return this.finish();
      case 'problems':
        return this.nextProblems();
      case 'checksums':
        return request.paths.map((path) => this.declarations.files.get(path)?.checksums ?? {});
    }
  }

  private begin(maxBytes: number): null {
    this.declarations = new Declarations();
    this.maxBytes = maxBytes;
    return null;
  }

  /** Runs a step of the reader. @returns false if the descriptor cannot be used, which is a problem named once */
  private read(step: (reader: DescriptorReader) => void): boolean {
    const { name, reader } = this.descriptor;
    if (!reader) return false;
    try {
      step(reader);
      this.checkMemory();
      return true;
    } catch (error) {
      this.descriptor.reader = null;
      if (!(error instanceof DescriptorError)) throw error;
      this.declarations.refuse(name, error);
      return false;
    }
  }

  private checkMemory(): void {
    if (this.declarations.files.bytes <= this.maxBytes) return;
    const message = `the declared files of the dataset exceed DECLARED_MEMORY (${String(this.maxBytes)} bytes)`;
    throw new DescriptorError(message, 'descriptor.too_large');
  }

  private conclude(bag: readonly string[] | null): DeclarationAnswers['conclude'] {
    const { declarations } = this;
    if (bag) readBag(declarations, bag);
    const { title, description, isBag, oxum, files } = declarations;
    return { title, description, isBag, oxum, count: files.count, algorithms: files.algorithms };
  }

  private compare(paths: readonly string[], sizes: readonly number[]): null {
    for (const [at, path] of paths.entries()) {
      const problem = this.mismatchOf(path, sizes[at] ?? 0);
      if (problem) this.declarations.problems.add(problem);
    }
    return null;
  }

  private mismatchOf(path: string, size: number): Problem | null {
    const { files, completeFolders } = this.declarations;
    const declared = files.markExisting(path);
    if (declared?.size !== undefined && declared.size !== size) {
      const message = `${path} has ${String(size)} bytes, but ${String(declared.size)} are declared; correct the file or its descriptor.`;
      return { code: 'size.mismatch', path, message };
    }
    if (!declared && completeFolders.some((folder) => path.startsWith(folder))) {
      return {
        code: 'file.unlisted',
        path,
        message: `${path} is not in a manifest of the bag; add it to a manifest or remove it.`,
      };
    }
    return null;
  }

  private finish(): DeclarationAnswers['finish'] {
    const { files, problems } = this.declarations;
    let missing = 0;
    for (const path of files.missing()) {
      problems.add({
        code: 'file.missing',
        path,
        message: `${path} is declared but missing; deliver it or remove it from the descriptors.`,
      });
      missing += 1;
    }
    this.named = problems.named.values();
    return { missing, counts: problems.counted };
  }

  private nextProblems(): readonly Problem[] {
    const page: Problem[] = [];
    for (let characters = 0; characters < pageCharacters;) {
      const next = this.named.next();
      if (next.done === true) break;
      const { value: problem } = next;
      page.push(problem);
      characters += problem.message.length + (problem.path?.length ?? 0);
    }
    return page;
  }
}
