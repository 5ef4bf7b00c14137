import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { StandInFault, StandInStep } from "../../examples/stand-in-control.ts";

export const PARTNER_TOKEN = "partner-token-for-tests-1234";

export interface PartnerState {
  briefs: {
    id: string;
    reference: string;
    workspace_id: string;
    status: string;
    title: string;
    body: string;
    due_date: string | null;
    submitted: boolean;
    recipients: string[];
  }[];
  submissions: { key: string; reference: string; due_date: string }[];
}

/** `npx brand-visibility partner` as a process on a free port. */
export async function startPartner() {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "bin/brand-visibility.ts", "partner", "--port", "0", "--token", PARTNER_TOKEN],
    { cwd: join(import.meta.dirname, "../.."), stdio: ["ignore", "pipe", "inherit"] },
  );
  const address = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`The partner ended with ${code}: ${text}`)));
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const found = /Address\s+(\S+)/.exec(text)?.[1];
      if (found !== undefined && text.includes("Token")) resolve(found);
    });
  });
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${address}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The partner's control answered HTTP ${response.status}.`);
    return response.json();
  };
  return {
    address,
    state: async () => (await ask("GET", "/briefs")) as PartnerState,
    /** State under one reference. */
    async of(reference: string): Promise<PartnerState> {
      const { briefs, submissions } = (await ask("GET", "/briefs")) as PartnerState;
      return {
        briefs: briefs.filter((brief) => brief.reference === reference),
        submissions: submissions.filter((submission) => submission.reference === reference),
      };
    },
    fail: (fault: StandInFault | null) => ask("PUT", "/control", { fail: fault }),
    /** Stops at a step; held requests continue, unless `keep` is set. */
    hold: (step: StandInStep | null, keep = false) => ask("PUT", "/control", { hold: step, keep }),
    /** Resolves once this many requests are held. */
    held: (count = 1) => ask("GET", `/control/held/${count}`),
    edit: (reference: string, change: { status?: string; final?: boolean; url?: string }) =>
      ask("PATCH", `/control/briefs/${reference}`, change),
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
export type PartnerProcess = Awaited<ReturnType<typeof startPartner>>;
