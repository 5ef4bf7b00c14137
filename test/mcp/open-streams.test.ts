import { expect, test } from "vitest";
import { openStreams, type OpenStream } from "../../src/http/mcp/open-streams.ts";

function stream(account: number): OpenStream {
  return { accountId: String(account), isStillAuthorised: async () => true, endStream: () => undefined };
}

test("bounds the streams of all accounts, and an ended one frees a slot", () => {
  // Attack: opening streams by many accounts until the service has no room for anything else.
  const streams = openStreams();
  const ends = Array.from({ length: 1000 }, (_, account) => streams.watchStream(stream(account)));
  expect(() => streams.watchStream(stream(1000))).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
  ends[0]?.();
  expect(() => streams.watchStream(stream(1000))).not.toThrow();
  streams.close();
});
