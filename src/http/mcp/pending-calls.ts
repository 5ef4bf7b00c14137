import { randomUUID } from "node:crypto";
import type { JSONRPCResponse } from "@modelcontextprotocol/server";

/**
 * Calls of 2025-era clients that are open on this process: those that asked their client something, whose answer comes
 * in a request of its own, and those that the client may cancel. A process that has not asked cannot take the answer, so
 * several processes behind one address need requests of one Mcp-Session-Id to reach the same one.
 */
export interface PendingCalls {
  /** Remembers a question to a client; `id` is the one it goes out with, which cannot be guessed. */
  ask(owner: string, settle: (answer: JSONRPCResponse) => void): { id: string; forget: () => void };
  /** Hands an answer to the call that waits for it; false where none does, or where it waits for another owner. */
  answer(owner: string, response: JSONRPCResponse): boolean;
  /** Remembers how to end an open call; gives how to forget it. */
  open(owner: string, callKey: string, cancel: () => void): () => void;
  cancel(owner: string, callKey: string): void;
}

export function openPendingCalls(): PendingCalls {
  const questions = new Map<string, { owner: string; settle: (answer: JSONRPCResponse) => void }>();
  const calls = new Map<string, () => void>();
  return {
    ask(owner, settle) {
      const id = randomUUID();
      questions.set(id, { owner, settle });
      return { id, forget: () => void questions.delete(id) };
    },
    answer(owner, response) {
      const id = String(response.id);
      const question = questions.get(id);
      if (question?.owner !== owner) return false;
      questions.delete(id);
      question.settle(response);
      return true;
    },
    open(owner, callKey, cancel) {
      const key = `${owner} ${callKey}`;
      calls.set(key, cancel);
      return () => {
        if (calls.get(key) === cancel) calls.delete(key);
      };
    },
    cancel: (owner, callKey) => calls.get(`${owner} ${callKey}`)?.(),
  };
}
