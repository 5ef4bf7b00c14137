import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Reply } from "../providers/fake-provider.ts";
import { isRecordingMissing, RECORDED_FOLDER } from "../providers/recorded-bodies.ts";
import { VOLUME, INTEREST, pollOnce } from "./keywords-cases.ts";

const recorded = (file: string): Reply => ({
  body: JSON.parse(readFileSync(new URL(`dataforseo/${file}`, RECORDED_FOLDER), "utf8")) as unknown,
});

test.skipIf(isRecordingMissing)("the recorded bodies about keywords are read", async () => {
  expect(await pollOnce(VOLUME, recorded("keywords-google-ads-search-volume-live.json"))).toEqual({
    "best induction pan for beginners": { searchVolume: 1900, trends: [1600, 1600, 1900] },
    "betacook pro pan": { searchVolume: null, trends: null },
  });
  const alphapan = { ...INTEREST, keywords: ["alphapan"] };
  expect(await pollOnce(alphapan, recorded("keywords-google-trends-explore-live.json"))).toEqual({
    alphapan: { searchInterestTrends: [74], relatedQueries: null },
  });
});
