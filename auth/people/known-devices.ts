import { randomBytes, timingSafeEqual } from "node:crypto";
import { cookieIn } from "./cookie.ts";
import { keyedHash, type Secrets } from "../keys/secrets.ts";

/**
 * Browsers that have signed in to an account before. Failed attempts of others must not lock them out. The mark grants no
 * access, and has no effect for any other account.
 */
export interface KnownDevices {
  cookieName: string;
  /** The cookie value for a browser that just signed in. */
  mark(email: string): string;
  /** The browser in a Cookie header, if it has signed in to this account. */
  find(cookieHeader: string | undefined, email: string): string | undefined;
}

export function openKnownDevices(secrets: Secrets, options: { secure: boolean }): KnownDevices {
  const key = secrets.derive("known-devices");
  const cookieName = options.secure ? "__Host-bva_device" : "bva_device";
  const sealOf = (device: string, email: string) => keyedHash(key, `${device} ${email.trim().toLowerCase()}`);
  return {
    cookieName,
    mark(email) {
      const device = randomBytes(16).toString("base64url");
      return `${device}.${sealOf(device, email)}`;
    },
    find(cookieHeader, email) {
      const [device = "", seal = ""] = (cookieIn(cookieHeader, cookieName) ?? "").split(".");
      const [given, right] = [Buffer.from(seal), Buffer.from(sealOf(device, email))];
      return given.length === right.length && timingSafeEqual(given, right) ? device : undefined;
    },
  };
}
