import { randomUUID } from "node:crypto";
import type { JSONRPCResponse } from "@modelcontextprotocol/server";

/**
 * Open calls of 2025-era clients: questions whose answers arrive in separate requests, and
 * cancellable calls. State is per process, so requests of one Mcp-Session-Id must reach the same
 * process.
 */
export interface PendingCalls {
  /** Registers a question; `id` is its unguessable outgoing id. */
  ask(owner: string, settle: (answer: JSONRPCResponse) => void): { id: string; forget: () => void };
  /** Delivers an answer; false without a matching question of this owner. */
  answer(owner: string, response: JSONRPCResponse): boolean;
  /** Registers a cancellable call; returns the function to unregister. */
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
