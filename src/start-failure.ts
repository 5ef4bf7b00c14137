import { StoreError } from "../db/engine/store-error.ts";

/** Why the process could not start, and what to do: for the causes that an operator can mend. */
export function startFailure(error: unknown, settings: { PORT: number; HOST: string; DATA_DIR: string }): string {
  const { PORT, HOST, DATA_DIR } = settings;
  switch (causeOf(error)) {
    case "EADDRINUSE":
      return `Port ${PORT} is in use by another program. End that one, or choose another: PORT=3001 npm start`;
    case "EADDRNOTAVAIL":
      return `This machine has no address ${HOST} to listen on. Set HOST to one of its own, such as 127.0.0.1.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOTDIR":
    case "readonly":
    case "unreadable":
      return `${PORT < 1024 ? `Port ${PORT} or the` : "The"} folder ${DATA_DIR} is not ours to use. Set DATA_DIR to a folder that can be written, and PORT to 1024 or more.`;
    case "corrupt":
      return `The database in ${DATA_DIR} is damaged or is none of ours. Put a backup in its place, or set DATA_DIR to an empty folder.`;
    case "full":
    case "ENOSPC":
      return `There is no room left for ${DATA_DIR}. Free some, and start again.`;
    case "ERR_DLOPEN_FAILED":
      return "The native modules were built for another version of Node.js. Run npm ci again with this one.";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** The reason of the store, or the code of the operating system. */
function causeOf(error: unknown): string {
  if (error instanceof StoreError) return error.reason;
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
