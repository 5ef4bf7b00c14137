import { randomBytes, timingSafeEqual } from "node:crypto";
import { findCookie } from "./cookie.ts";
import { keyedHash, type Secrets } from "../keys/secrets.ts";

/** Lets a form sent after the session expired be saved for its user. Grants no access. */
export interface BrowserMarks {
  cookieName: string;
  createMark(userId: string): string;
  findMark(cookieHeader: string | undefined): { userId: string; value: string } | undefined;
}

export function openBrowserMarks(secrets: Secrets, options: { isSecure: boolean }): BrowserMarks {
  const key = secrets.derive("browser-marks");
  const cookieName = options.isSecure ? "__Host-bva_person" : "bva_person";
  const sealOf = (userId: string, browser: string) => keyedHash(key, `${userId} ${browser}`);
  return {
    cookieName,
    createMark(userId) {
      const browser = randomBytes(16).toString("base64url");
      return `${userId}.${browser}.${sealOf(userId, browser)}`;
    },
    findMark(cookieHeader) {
      const value = findCookie(cookieHeader, cookieName) ?? "";
      const [userId = "", browser = "", seal = ""] = value.split(".");
      const [given, right] = [Buffer.from(seal), Buffer.from(sealOf(userId, browser))];
      return given.length === right.length && timingSafeEqual(given, right) ? { userId, value } : undefined;
    },
  };
}
