import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";

/**
 * The test files of a source file, by the rule in CONTRIBUTING: tests that import it, and tests
 * named after it (each word of the test's name is a word of the file's path, ignoring endings).
 */
export function testsOf(file: string, tests: readonly TestFile[]): string[] {
  const words = wordsOf(file);
  return tests
    .filter((test) => test.imports.has(file) || test.words.every((word) => words.includes(word)))
    .map((test) => test.path);
}

export interface TestFile {
  path: string;
  words: readonly string[];
  /** Paths of the repository's files that it imports directly. */
  imports: ReadonlySet<string>;
}

export function testFiles(root: string, files: readonly string[]): TestFile[] {
  return files
    .filter((file) => /^test\/.*\.test\.ts$/.test(file))
    .map((path) => {
      const code = readFileSync(join(root, path), "utf8");
      const imports = [...code.matchAll(/from "(\.[^"]+)"/g)].map((match) =>
        normalize(join(dirname(path), match[1] ?? "")),
      );
      return { path, words: wordsOf(basename(path)), imports: new Set(imports) };
    });
}

function wordsOf(path: string): string[] {
  return path
    .replace(/^(core|db|auth|tools|src|test)\//, "")
    .replace(/((\.(proof|browser|kill))?\.test)?\.ts$/, "")
    .split(/[/-]/)
    .map((word) => word.replace(/s$/, "").replace(/(ing|ed|ement|e)$/, ""));
}
