import { once, EventEmitter } from "node:events";
import type { Response } from "express";

export const STAND_IN_FAULTS = [
  "token_refused",
  "workspace_unknown",
  "workspace_unavailable",
  "recipients_missing",
  "recipients_invalid",
  "content_too_long",
  "rejected",
  "error",
  "garbage",
  "endless",
  "redirect",
  "unavailable",
  "hang",
  "reset_after_acceptance",
  "hang_after_acceptance",
  "garbage_after_acceptance",
] as const;
export type StandInFault = (typeof STAND_IN_FAULTS)[number];

/**
 * Steps at which the simulated partner can pause: before or after processing a request, or after
 * responding.
 */
export const STAND_IN_STEPS = [
  "workspace_asked",
  "draft_asked",
  "draft_stored",
  "submission_asked",
  "submission_accepted",
  "submission_answered",
] as const;
export type StandInStep = (typeof STAND_IN_STEPS)[number];

export interface StandInControl {
  fail: StandInFault | null;
  readonly hold: StandInStep | null;
  /**
   * Null clears the pause. Releases paused requests unless `keep` is set, which simulates a late
   * request.
   */
  setHold(step: StandInStep | null, keep: boolean): void;
  /** Called at each step; resolves when the request may continue. */
  reach(step: StandInStep): Promise<void>;
  /** Resolves once `count` requests are paused. */
  held(count: number): Promise<void>;
  /** Returns true if the request failed before it was processed. */
  failsBeforeAnswer(response: Response, asked: "draft" | "submission" | "reading"): boolean;
  failsAfterAcceptance(response: Response): boolean;
}

const ENDLESS_BYTES = 1024 * 1024;

export function openStandInControl(fail: StandInFault | null): StandInControl {
  const events = new EventEmitter();
  let hold: StandInStep | null = null;
  let heldNow = 0;
  return {
    fail,
    get hold() {
      return hold;
    },
    setHold(step, keep) {
      hold = step;
      if (keep) return;
      heldNow = 0;
      events.emit("go");
    },
    async reach(step) {
      if (step !== hold) return;
      heldNow++;
      const gone = once(events, "go");
      events.emit("held");
      await gone;
    },
    held(count) {
      return new Promise((resolve) => {
        const look = () => void (heldNow >= count ? resolve() : events.once("held", look));
        look();
      });
    },
    failsBeforeAnswer(response, asked) {
      switch (this.fail) {
        case "unavailable":
          response.status(503).set("retry-after", "7").end();
          return true;
        case "error":
          response.status(500).json({ error: { code: "internal", message: "Something broke." } });
          return true;
        case "garbage":
          response.type("html").send("<h1>Welcome</h1>");
          return true;
        case "redirect":
          response.redirect(307, "https://elsewhere.example/");
          return true;
        case "endless":
          response.type("json").send(`"${"x".repeat(ENDLESS_BYTES)}"`);
          return true;
        case "hang":
          return asked !== "draft";
        default:
          return false;
      }
    },
    failsAfterAcceptance(response) {
      switch (this.fail) {
        case "reset_after_acceptance":
          response.socket?.resetAndDestroy();
          return true;
        case "garbage_after_acceptance":
          response.type("html").send("<h1>Thank you</h1>");
          return true;
        case "hang_after_acceptance":
          return true;
        default:
          return false;
      }
    },
  };
}
