/** True if the process runs TypeScript sources with a loader. */
const RUNS_FROM_SOURCE = import.meta.url.endsWith(".ts");

/** Node.js arguments for starting such programs. */
export const PROGRAM_LOADER: readonly string[] = RUNS_FROM_SOURCE ? ["--import", import.meta.resolve("tsx")] : [];

/** A program for its own process or thread, compiled if this process is. */
export function programUrl(path: string): URL {
  return new URL(import.meta.resolve(RUNS_FROM_SOURCE ? `#root/${path}.ts` : `#root/dist/${path}.js`));
}

/** Like programUrl for a `Worker`, which does not accept `--import`. */
export function resolveWorkerProgram(path: string): { program: URL | string; eval: boolean } {
  const file = programUrl(path);
  if (!RUNS_FROM_SOURCE) return { program: file, eval: false };
  const [loader, main] = [import.meta.resolve("tsx/esm/api"), file.href].map((url) => JSON.stringify(url));
  return {
    program: `import(${loader}).then(({ register }) => { register(); return import(${main}); })`,
    eval: true,
  };
}
