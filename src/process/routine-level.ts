/** In a terminal, routine lines would bury the messages. */
export function getRoutineLogLevel(): "debug" | "info" {
  return process.stdout.isTTY ? "debug" : "info";
}
