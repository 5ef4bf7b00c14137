import { resolve } from "node:path";
import { StoreError } from "../../db/engine/store-error.ts";

interface StartSettings {
  PORT: number;
  HOST: string;
  DATA_DIR: string;
}

const UNKNOWN_SETTINGS: StartSettings = { PORT: 0, HOST: "", DATA_DIR: "" };

export function startFailureText(error: unknown, { PORT, HOST, DATA_DIR }: StartSettings = UNKNOWN_SETTINGS): string {
  const folder = resolve(DATA_DIR);
  const cause: NodeJS.ErrnoException | undefined = error instanceof Error ? error : undefined;
  switch (error instanceof StoreError ? error.reason : cause?.code) {
    case "EADDRINUSE":
      return `Port ${PORT} is in use by another program. Stop that program, or choose another port: PORT=3001 npm start`;
    case "EADDRNOTAVAIL":
      return `This machine has no address ${HOST} to listen on. Set HOST to an address of this machine, such as 127.0.0.1.`;
    case "EACCES":
    case "EPERM":
      return cause?.syscall === "listen"
        ? `The user of this process may not listen on port ${PORT}. Set PORT to 1024 or more.`
        : `The user of this process cannot use ${cause?.path ?? folder}. Make that user its owner with chown, or set DATA_DIR to another folder.`;
    case "EROFS":
    case "readonly":
      return `${folder} is on a read-only disk. Mount it writable, or set DATA_DIR to a folder on another disk.`;
    case "EEXIST":
    case "ENOTDIR":
      return `DATA_DIR is ${folder}, which is a file or inside a file. Set DATA_DIR to a folder.`;
    case "EMFILE":
    case "ENFILE":
      return "The limit on open files is too low. Raise it with ulimit -n 4096, or LimitNOFILE=4096 in systemd, then start again.";
    case "ENOSPC":
    case "EDQUOT":
    case "full":
      return `The disk of ${folder} is full. Free some space, then start again.`;
    case "EIO":
    case "unreadable":
      return `The disk of ${folder} reports read or write errors. Check the disk, its mount and the system log.`;
    case "corrupt":
      return `The database in ${folder} is corrupt or belongs to another program. Restore a backup, or set DATA_DIR to an empty folder.`;
    case "absent":
      return `There is no database in ${folder}. If the database is elsewhere, mount its disk or set DATA_DIR. If this is a new installation, start once with --init: npm start -- --init`;
    case "replaced":
      return `The files of the database in ${folder} were removed or replaced during the start. Start again.`;
    case "busy":
      return `Another process holds the database in ${folder}. Stop that process, then start again.`;
    case "ERR_MODULE_NOT_FOUND":
      // Without free file descriptors, Node.js reports a package as missing.
      return `${cause?.message}. Run npm ci again. If that does not help, raise the limit on open files: ulimit -n 4096`;
    case "ERR_DLOPEN_FAILED":
      return "The native modules were built for another version of Node.js. Run npm ci again with this version.";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
