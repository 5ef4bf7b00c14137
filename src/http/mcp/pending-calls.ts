import { randomUUID } from "node:crypto";
import type { JSONRPCResponse } from "@modelcontextprotocol/server";

/**
 * Open calls of 2025-era clients: questions whose answers arrive in separate requests, and
 * cancellable calls. State is per process, so requests of one Mcp-Session-Id must reach the same
 * process.
 */
export interface PendingCalls {
  ask(owner: string, settle: (answer: JSONRPCResponse) => void): { id: string; unregisterQuestion: () => void };
  answer(owner: string, response: JSONRPCResponse): boolean;
  registerCall(owner: string, callKey: string, cancel: () => void): () => void;
  cancel(owner: string, callKey: string): void;
}

export function openPendingCalls(): PendingCalls {
  const questions = new Map<string, { ownerKey: string; handleAnswer: (answer: JSONRPCResponse) => void }>();
  const calls = new Map<string, () => void>();
  return {
    ask(ownerKey, handleAnswer) {
      const id = randomUUID();
      questions.set(id, { ownerKey, handleAnswer });
      return { id, unregisterQuestion: () => void questions.delete(id) };
    },
    answer(owner, response) {
      const id = String(response.id);
      const question = questions.get(id);
      if (question?.ownerKey !== owner) return false;
      questions.delete(id);
      question.handleAnswer(response);
      return true;
    },
    registerCall(owner, callKey, cancel) {
      const key = `${owner} ${callKey}`;
      calls.set(key, cancel);
      return () => {
        if (calls.get(key) === cancel) calls.delete(key);
      };
    },
    cancel: (owner, callKey) => calls.get(`${owner} ${callKey}`)?.(),
  };
}
