import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const BROWSERS = ["xdg-open", "open", "x-www-browser", "sensible-browser", "google-chrome", "firefox"];

/** A client's own home folder, whose browser signs in automatically. */
export interface Home {
  dir: string;
  /** Environment that points a program to this home and browser. */
  env: Record<string, string>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openHome(client: string): Promise<Home> {
  // Not below the temporary folder, where some clients refuse to work.
  const base = join(homedir(), ".cache");
  await mkdir(base, { recursive: true });
  const dir = await mkdtemp(join(base, `interop-${client}-`));
  const bin = join(dir, "bin");
  await mkdir(bin);
  const browser = join(bin, "browser");
  const standIn = join(import.meta.dirname, "stand-in-browser.ts");
  const tsx = join(import.meta.dirname, "../../node_modules/.bin/tsx");
  // Programs listen on their callback address only after starting the browser, so the script
  // returns at once.
  const script = `#!/bin/sh\n(sleep 1; "${process.execPath}" "${tsx}" "${standIn}" "$@") >"${dir}/browser.log" 2>&1 &\n`;
  await writeFile(browser, script);
  await chmod(browser, 0o755);
  for (const name of BROWSERS) await symlink(browser, join(bin, name));
  return {
    dir,
    env: {
      HOME: dir,
      XDG_CONFIG_HOME: join(dir, ".config"),
      XDG_DATA_HOME: join(dir, ".local/share"),
      XDG_STATE_HOME: join(dir, ".local/state"),
      XDG_CACHE_HOME: join(dir, ".cache"),
      PATH: `${bin}:${process.env["PATH"] ?? ""}`,
      BROWSER: browser,
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}
