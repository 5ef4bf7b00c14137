/** A terminal hides routine lines, which would bury the messages. */
export function getRoutineLogLevel(): "debug" | "info" {
  return process.stdout.isTTY ? "debug" : "info";
}
