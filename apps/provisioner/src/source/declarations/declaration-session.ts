import type { Problem } from '../../model/problem.js';
import { concludeBag, manifestsWithout } from './bag/bag-rules.js';
import { payloadFolder } from './bag/bag-manifest.js';
import type { DeclarationAnswers, DeclarationRequest } from './declaration-messages.js';
import { Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { readerOf, type DescriptorOrder } from './descriptors.js';
import { DescriptorError } from './json-document.js';
import { LooseMatches } from './lists/loose-matches.js';

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
  private descriptor: OpenDescriptor = { name: '', reader: null };
  private searches = new LooseMatches([]);
  private named: Iterator<Problem, undefined> = [].values();

  /** Returns the answer to a request. */
  handle(request: DeclarationRequest): DeclarationAnswers[DeclarationRequest['kind']] {
    switch (request.kind) {
      case 'begin':
        return this.begin(request.maxBytes);
      case 'open':
        return this.open(request);
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
        return this.conclude();
      case 'compare':
        return this.compare(request.paths, request.sizes);
      case 'searchMissing':
        this.searches = new LooseMatches(this.declarations.files.hasLoose ? this.declarations.files.missing() : []);
        return !this.searches.isEmpty;
      case 'match':
        for (const path of request.paths) this.searches.add(path);
        return null;
      case 'finish':
        return this.finish();
      case 'problems':
        return this.nextProblems();
      case 'checksums':
        return request.paths.map((path) => this.declarations.files.get(path)?.checksums ?? {});
    }
  }

  private begin(maxBytes: number): null {
    this.declarations.files.close();
    this.declarations = new Declarations(maxBytes);
    this.searches = new LooseMatches([]);
    return null;
  }

  private open(order: DescriptorOrder): boolean {
    this.descriptor = { name: order.path, reader: readerOf(order, this.declarations) };
    return this.descriptor.reader !== null;
  }

  /** Runs a step of the reader. @returns false if the descriptor cannot be used, which is a problem named once */
  private read(step: (reader: DescriptorReader) => void): boolean {
    const { name, reader } = this.descriptor;
    if (!reader) return false;
    try {
      step(reader);
      return true;
    } catch (error) {
      this.descriptor.reader = null;
      if (!(error instanceof DescriptorError)) throw error;
      this.declarations.refuse(name, error);
      return false;
    }
  }

  private conclude(): DeclarationAnswers['conclude'] {
    const { declarations } = this;
    concludeBag(declarations);
    const { title, bagTitle, description, bag, oxum, files } = declarations;
    const facts = { description, isBag: bag !== null, oxum, count: files.count, algorithms: files.algorithms };
    return { title: title ?? bagTitle, ...facts };
  }

  private compare(paths: readonly string[], sizes: readonly number[]): null {
    for (const [at, path] of paths.entries()) {
      const problem = this.mismatchOf(path, sizes[at] ?? 0);
      if (problem) this.declarations.problems.add(problem);
    }
    return null;
  }

  private mismatchOf(path: string, size: number): Problem | null {
    const { files } = this.declarations;
    const declared = files.markExisting(path);
    if (declared?.size !== undefined && declared.size !== size) {
      const message = `${path} has ${String(size)} bytes, but ${String(declared.size)} are declared; correct the file or its descriptor.`;
      return { code: 'size.mismatch', path, message };
    }
    const manifests = path.startsWith(payloadFolder) ? manifestsWithout(this.declarations, declared?.listed ?? 0) : [];
    if (manifests.length > 0) {
      const message = `${path} is not in ${manifests.join(', ')}; add it to the manifest or remove it.`;
      return { code: 'file.unlisted', path, message };
    }
    return null;
  }

  private finish(): DeclarationAnswers['finish'] {
    const { files, problems } = this.declarations;
    const ambiguous = this.assignFound();
    let missing = 0;
    for (const { path, isFetched } of files.missing()) {
      const matches = ambiguous.get(path);
      let message = `${path} is declared but missing; deliver it or remove it from the descriptors.`;
      if (isFetched) message = `${path} is listed in fetch.txt but is not fetched; deliver the file.`;
      else if (matches !== undefined)
        message = `${path} is declared without its folder, and ${String(matches)} files have this name; declare the path of each file.`;
      problems.add({ code: 'file.missing', path, message });
      missing += 1;
    }
    this.named = problems.named.values();
    return { missing, compared: files.existingWithDigest, counts: problems.counted };
  }

  /** Assigns the digests of files that were found by a part of their path. @returns the number of matches of the others */
  private assignFound(): ReadonlyMap<string, number> {
    const ambiguous = new Map<string, number>();
    for (const { declared, found, matches } of this.searches.found()) {
      if (matches > 1) ambiguous.set(declared, matches);
      else this.declarations.files.assign(declared, found);
    }
    return ambiguous;
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
