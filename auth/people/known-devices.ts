import { randomBytes, timingSafeEqual } from "node:crypto";
import { findCookie } from "./cookie.ts";
import { keyedHash, type Secrets } from "../keys/secrets.ts";

/** Others' failed attempts cannot lock out a marked browser. A mark grants no access. */
export interface KnownDevices {
  cookieName: string;
  createMark(email: string): string;
  findDevice(cookieHeader: string | undefined, email: string): string | undefined;
}

export function openKnownDevices(secrets: Secrets, options: { isSecure: boolean }): KnownDevices {
  const key = secrets.derive("known-devices");
  const cookieName = options.isSecure ? "__Host-bva_device" : "bva_device";
  const sealOf = (device: string, email: string) => keyedHash(key, `${device} ${email.trim().toLowerCase()}`);
  return {
    cookieName,
    createMark(email) {
      const device = randomBytes(16).toString("base64url");
      return `${device}.${sealOf(device, email)}`;
    },
    findDevice(cookieHeader, email) {
      const [device = "", seal = ""] = (findCookie(cookieHeader, cookieName) ?? "").split(".");
      const [given, right] = [Buffer.from(seal), Buffer.from(sealOf(device, email))];
      return given.length === right.length && timingSafeEqual(given, right) ? device : undefined;
    },
  };
}
