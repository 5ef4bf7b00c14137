import { startFailureText } from "./process/start-failure.ts";

// Loads the service where a failure can still be told in a sentence: of a limit on open files that is too low, and of native
// modules of another version of Node.js, loading is the first to know.
try {
  await import("./main.ts");
} catch (error) {
  // Without a code it is a fault of ours, of which the trace says more.
  if (!(error instanceof Error && "code" in error)) throw error;
  process.stderr.write(`${startFailureText(error)}\n`);
  process.exitCode = 1;
}
